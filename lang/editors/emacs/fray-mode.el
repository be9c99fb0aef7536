;;; fray-mode.el --- Fray, a language for referees -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages

;;; Commentary:

;; Colours, comments and indentation for scripts of Fray.  With Emacs 29 `eglot' starts the
;; language server: mistakes while typing, completion, definitions, rename, layout.
;; The lists of words are written by lang/editors/words.py.

;;; Code:

(defgroup fray nil "Scripts of Fray." :group 'languages)

(defcustom fray-command "fray" "The fray command." :type 'string)

(defcustom fray-indent 2 "Blanks for each block." :type 'integer)

(defconst fray-starts ; words.def
  '("everything except"
    "default action"
    "default policy"
    "everything but"
    "expect in vain"
    "in this order"
    "perform phase"
    "exception to"
    "begin round"
    "house rules"
    "everything"
    "instead of"
    "when asked"
    "dice roll"
    "drop rule"
    "encounter"
    "no longer"
    "carry on"
    "dice ask"
    "replaces"
    "sequence"
    "spelling"
    "together"
    "whenever"
    "average"
    "compare"
    "copy of"
    "extends"
    "follows"
    "highest"
    "in full"
    "library"
    "resolve"
    "ruleset"
    "someone"
    "action"
    "adjust"
    "before"
    "cancel"
    "change"
    "define"
    "end of"
    "expect"
    "follow"
    "forbid"
    "lowest"
    "option"
    "permit"
    "policy"
    "random"
    "refuse"
    "remove"
    "repeat"
    "ruling"
    "spread"
    "stated"
    "switch"
    "after"
    "alias"
    "begin"
    "costs"
    "count"
    "event"
    "every"
    "exact"
    "force"
    "forks"
    "keeps"
    "limit"
    "needs"
    "order"
    "phase"
    "refer"
    "sweep"
    "table"
    "those"
    "total"
    "until"
    "up to"
    "while"
    "wrong"
    "base"
    "does"
    "each"
    "fork"
    "help"
    "kind"
    "load"
    "next"
    "none"
    "note"
    "odds"
    "once"
    "over"
    "pend"
    "pick"
    "plot"
    "quit"
    "redo"
    "roll"
    "rule"
    "save"
    "show"
    "side"
    "step"
    "stop"
    "this"
    "undo"
    "unit"
    "add"
    "all"
    "any"
    "ask"
    "let"
    "run"
    "set"
    "use"
    "why"
    "yes"
    "if"
    "no"
    "on"))

(defconst fray-inside ; words.def
  '("rounded nearest"
    "at the end of"
    "together with"
    "rounded down"
    "apart from"
    "as soon as"
    "by default"
    "rounded up"
    "yields to"
    "at least"
    "precedes"
    "against"
    "at most"
    "chooses"
    "or else"
    "towards"
    "behind"
    "giving"
    "toward"
    "unless"
    "meets"
    "using"
    "where"
    "else"
    "from"
    "have"
    "into"
    "past"
    "then"
    "upon"
    "when"
    "with"
    "and"
    "are"
    "for"
    "has"
    "may"
    "not"
    "as"
    "at"
    "by"
    "in"
    "is"
    "or"
    "to"
    "vs"))

(defun fray--words (words)
  "A regular expression of WORDS, whose blanks may be several."
  (concat "\\_<\\(" (mapconcat (lambda (w) (replace-regexp-in-string " " "[ \t]+" w)) words "\\|") "\\)\\_>"))

(defconst fray-font-lock
  `((,(concat "\\(?:^\\|[{};]\\)[ \t]*" (fray--words fray-starts)) 1 font-lock-keyword-face)
    ("\\(?:^\\|[{;]\\)[ \t]*\\([^{};:\"\n]+?\\)[ \t]*:" 1 font-lock-variable-name-face)
    ("\\_<[0-9]*d[0-9]+\\(?:k[hl][0-9]+\\|!\\)*\\(?:[+-][0-9]+\\)?\\_>" . font-lock-constant-face)
    ("#[0-9]+" . font-lock-constant-face)
    (,(fray--words fray-inside) . font-lock-builtin-face))
  "What is coloured, besides comments and texts.")

(defvar fray-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?- ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?{ "(}" table)
    (modify-syntax-entry ?} "){" table)
    table))

(defun fray-indent-line ()
  "Indent a line by the blocks that are open where it begins."
  (interactive)
  (let* ((closes (save-excursion (back-to-indentation) (looking-at "}")))
         (depth (save-excursion (car (syntax-ppss (line-beginning-position)))))
         (to (* fray-indent (max 0 (if closes (1- depth) depth)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to to)
      (save-excursion (indent-line-to to)))))

;;;###autoload
(define-derived-mode fray-mode prog-mode "Fray"
  "Scripts of Fray."
  (setq-local comment-start "-- ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "--+[ \t]*")
  (setq-local font-lock-defaults '(fray-font-lock nil t))
  (setq-local indent-line-function #'fray-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local compile-command
              (concat fray-command " check " (if buffer-file-name (shell-quote-argument buffer-file-name) ""))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.fray\\'" . fray-mode))
;;;###autoload
(add-to-list 'interpreter-mode-alist '("fray" . fray-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'fray-mode (list fray-command "lsp"))))

(provide 'fray-mode)
;;; fray-mode.el ends here
