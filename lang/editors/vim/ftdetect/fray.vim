" Scripts of Fray, by their name and by their first line.
autocmd BufNewFile,BufRead *.fray setfiletype fray
autocmd BufNewFile,BufRead * if getline(1) =~# '^#!.*\<fray\>' | setfiletype fray | endif
