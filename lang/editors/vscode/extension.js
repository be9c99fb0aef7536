// extension.js - starts `fray lsp`, and shows what Run, Why and Odds tell beside the script.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;
let told = '';

// What a command told, as a document that cannot be changed.
const answers = new (class {
	constructor() {
		this.changed = new vscode.EventEmitter();
		this.onDidChange = this.changed.event;
	}
	provideTextDocumentContent() {
		return told;
	}
})();
const answer = vscode.Uri.parse('fray-answer:Fray');

async function show(text) {
	told = text;
	answers.changed.fire(answer);
	const document = await vscode.workspace.openTextDocument(answer);
	await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
}

function start() {
	const command = vscode.workspace.getConfiguration('fray').get('path', 'fray');
	const server = { command, args: ['lsp'] };
	client = new LanguageClient('fray', 'Fray', server, {
		documentSelector: [{ language: 'fray' }],
		synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.fray') },
		middleware: {
			// code lenses are the server's commands: what they answer is shown
			async executeCommand(name, args, next) {
				const result = await next(name, args);
				if (result && typeof result.text === 'string')
					await show(result.text);
				return result;
			},
		},
	});
	return client.start();
}

// The first encounter of the script in the editor, by its code lens.
async function ofFile(name) {
	const editor = vscode.window.activeTextEditor;
	if (!editor || !client)
		return;
	const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
	const lenses = await client.sendRequest('textDocument/codeLens', { textDocument: { uri } });
	const lens = lenses.find((x) => x.command.command === name);
	if (!lens) {
		vscode.window.showInformationMessage('There is no encounter in this script.');
		return;
	}
	const result = await client.sendRequest('workspace/executeCommand', { command: name, arguments: lens.command.arguments });
	await show(result.text);
}

exports.activate = async (context) => {
	context.subscriptions.push(
		vscode.workspace.registerTextDocumentContentProvider('fray-answer', answers),
		vscode.commands.registerCommand('fray.runFile', () => ofFile('fray.run')),
		vscode.commands.registerCommand('fray.oddsFile', () => ofFile('fray.odds')),
		vscode.commands.registerCommand('fray.restart', async () => {
			if (client)
				await client.stop();
			await start();
		}),
	);
	await start();
};

exports.deactivate = () => client && client.stop();
