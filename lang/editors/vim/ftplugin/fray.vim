" Fray: comments, indentation, layout and checks by the command itself.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:-- commentstring=--\ %s
setlocal expandtab shiftwidth=2 softtabstop=2 smartindent
setlocal formatprg=fray\ fmt\ -
" :make checks the script; mistakes go to the quickfix list
setlocal makeprg=fray\ check\ %:S
setlocal errorformat=%f:%l:\ %tarning:\ %m,%f:%l:\ %m,%-G%.%#

let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< smartindent< formatprg< makeprg< errorformat<'
