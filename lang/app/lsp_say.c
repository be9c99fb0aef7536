/* lsp_say.c - what messages to the client of the language server are made of. */
#include "lang/app/lsp.h"

void wire_answer(const json_t *id, json_t *result)
{
	json_t *message = json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result",
		result ? result : json_null());
	if (message)
		wire_send(message);
	else
		wire_refuse(id, WIRE_FAILED, "a text is not UTF-8");
}

void wire_refuse(const json_t *id, int code, const char *why)
{
	json_t *to = id ? json_incref((json_t *)(uintptr_t)id) : json_null();
	wire_send(json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", to, "error", "code",
		code, "message", why));
}

void wire_notify(const char *method, json_t *params)
{
	wire_send(
		json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}
