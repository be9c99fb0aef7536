fray run line_policy.fray
