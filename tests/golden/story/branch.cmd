fray odds branch.fray | grep "use with"
