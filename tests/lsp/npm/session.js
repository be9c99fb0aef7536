// session.js - `fray lsp` under the protocol's own client library: TAP.
//
// usage: NODE_PATH=.../node_modules node session.js FRAY TOP
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const lsp = require('vscode-languageserver-protocol/node');
const { TextDocument } = require('vscode-languageserver-textdocument');
const { pathToFileURL } = require('url');

const [fray, top] = process.argv.slice(2);
let n = 0;
let bad = 0;

function check(what, good, seen) {
	n++;
	bad += !good;
	console.log(`${good ? '' : 'not '}ok ${n} - ${what}`);
	if (!good)
		console.log('# ' + JSON.stringify(seen));
}

const script = path.join(top, 'examples/web.fray');
const uri = pathToFileURL(script).href;
const sound = fs.readFileSync(script, 'utf8');
const waiting = [];
const published = [];

async function problems(version) {
	for (;;) {
		const found = published.find((p) => p.uri === uri && p.version === version);
		if (found)
			return found.diagnostics;
		await new Promise((resolve) => waiting.push(resolve));
	}
}

// The grammar of the VS Code extension, by the library that VS Code reads it with.
async function grammar() {
	const oniguruma = require('vscode-oniguruma');
	const textmate = require('vscode-textmate');
	const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
	await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));
	const file = path.join(top, 'lang/editors/vscode/syntaxes/fray.tmLanguage.json');
	const registry = new textmate.Registry({
		onigLib: Promise.resolve({
			createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
			createOnigString: (text) => new oniguruma.OnigString(text),
		}),
		loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file),
	});
	const read = await registry.loadGrammar('source.fray');
	const scopes = (line, word) => {
		const token = read.tokenizeLine(line, textmate.INITIAL).tokens.find((t) => t.startIndex <= line.indexOf(word) && t.endIndex > line.indexOf(word));
		return token.scopes[token.scopes.length - 1];
	};
	const wanted = [
		['encounter the ford {', 'encounter', 'keyword.control.fray'], ['encounter the ford {', 'the ford', 'entity.name.type.fray'],
		['  hit points: 12 -- some', 'hit points', 'variable.other.property.fray'], ['  hit points: 12 -- some', '-- some', 'comment.line.double-dash.fray'],
		['  damage: 2d6+1', '2d6', 'constant.numeric.dice.fray'], ['  expect Bruna attacks', 'expect', 'keyword.control.fray'],
		['  note "{actor} waits"', '{actor}', 'variable.other.interpolated.fray'], ['  orc #2 waits', '#2', 'constant.numeric.ordinal.fray'],
	];
	for (const [line, word, scope] of wanted)
		check(`${word}: ${scope}`, scopes(line, word) === scope, scopes(line, word));
}

async function server() {
	const child = spawn(fray, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
	const ended = new Promise((resolve) => child.on('exit', resolve));
	const c = lsp.createProtocolConnection(new lsp.StreamMessageReader(child.stdout), new lsp.StreamMessageWriter(child.stdin));
	c.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
		published.push(p);
		waiting.splice(0).forEach((go) => go());
	});
	c.listen();
	const able = await c.sendRequest(lsp.InitializeRequest.type, {
		processId: process.pid, rootUri: null, workspaceFolders: null, capabilities: { general: { positionEncodings: ['utf-16'] } },
	});
	check('what the server says of itself', able.capabilities.positionEncoding === lsp.PositionEncodingKind.UTF16, able);
	await c.sendNotification(lsp.InitializedNotification.type, {});
	const textDocument = { uri };
	await c.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'fray', version: 1, text: sound } });
	check('a sound script', (await problems(1)).length === 0, published);

	let d = TextDocument.create(uri, 'fray', 1, sound);
	const changes = [
		{ range: { start: d.positionAt(0), end: d.positionAt(0) }, text: '-- 🐉🐉\n' },
	];
	d = TextDocument.update(d, changes, 2);
	const at = d.getText().indexOf('Bruna attacks');
	const more = [{ range: { start: d.positionAt(at), end: d.positionAt(at + 5) }, text: 'Brunna' }];
	d = TextDocument.update(d, more, 2);
	await c.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [...changes, ...more] });
	const found = await problems(2);
	check('a mistake under its word', found.length === 1 && d.getText(found[0].range) === 'Brunna', found);
	check('which is a diagnostic of the protocol', lsp.Diagnostic.is(found[0]), found);
	const actions = await c.sendRequest(lsp.CodeActionRequest.type, { textDocument, range: found[0].range, context: { diagnostics: found } });
	check('code actions', lsp.CodeAction.is(actions[0]) && lsp.WorkspaceEdit.is(actions[0].edit), actions);
	check('which mend it', TextDocument.applyEdits(d, actions[0].edit.changes[uri]) === '-- 🐉🐉\n' + sound, actions);
	await c.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 3 }, contentChanges: [{ text: sound }] });
	check('nothing is left of it', (await problems(3)).length === 0, published);
	d = TextDocument.create(uri, 'fray', 3, sound);

	const position = d.positionAt(sound.indexOf('casts web'));
	const hover = await c.sendRequest(lsp.HoverRequest.type, { textDocument, position });
	check('hover', lsp.Hover.is(hover) && hover.contents.value.includes('action cast'), hover);
	const places = await c.sendRequest(lsp.DefinitionRequest.type, { textDocument, position });
	check('definition', places.length === 1 && lsp.Location.is(places[0]), places);
	const uses = await c.sendRequest(lsp.ReferencesRequest.type, { textDocument, position, context: { includeDeclaration: true } });
	check('references', uses.length > 1 && uses.every((x) => lsp.Location.is(x)), uses);
	const symbols = await c.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument });
	check('symbols', symbols.every((x) => lsp.DocumentSymbol.is(x)) && symbols[0].name === 'a web half spun', symbols);
	const folds = await c.sendRequest(lsp.FoldingRangeRequest.type, { textDocument });
	check('folding', folds.length > 1 && folds.every((x) => lsp.FoldingRange.is(x)), folds);
	const tokens = await c.sendRequest(lsp.SemanticTokensRequest.type, { textDocument });
	check('semantic tokens', Array.isArray(tokens.data) && tokens.data.length % 5 === 0, tokens);
	const items = await c.sendRequest(lsp.CompletionRequest.type, { textDocument, position });
	check('completion', !items.isIncomplete && items.items.every((x) => lsp.TextEdit.is(x.textEdit)) && items.items.some((x) => x.label === 'casts'), items);
	const edit = await c.sendRequest(lsp.RenameRequest.type, { textDocument, position: d.positionAt(sound.indexOf('party')), newName: 'heroes' });
	check('rename', lsp.WorkspaceEdit.is(edit) && !TextDocument.applyEdits(d, edit.changes[uri]).includes('party'), edit);
	const lenses = await c.sendRequest(lsp.CodeLensRequest.type, { textDocument });
	check('code lenses', lenses.length === 3 && lenses.every((x) => lsp.CodeLens.is(x)), lenses);
	const hints = await c.sendRequest(lsp.InlayHintRequest.type, { textDocument, range: { start: d.positionAt(0), end: d.positionAt(sound.length) } });
	check('inlay hints', Array.isArray(hints) && hints.every((x) => lsp.InlayHint.is(x)), hints);
	const laid = await c.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 2, insertSpaces: true } });
	check('a script in its layout stays', laid.length === 0, laid);
	await c.sendRequest(lsp.ShutdownRequest.type);
	await c.sendNotification(lsp.ExitNotification.type);
	check('and leaves', (await ended) === 0);
	c.dispose();
}

server().then(grammar).catch((e) => check('the session', false, String(e.stack))).then(() => {
	console.log(`1..${n}`);
	process.exit(bad ? 1 : 0);
});
