# SPDX-License-Identifier: MIT
# Prints what zsh's completion offers at the end of a line. usage: zsh -f capture.zsh COMPLETIONS LINE
zmodload zsh/zpty
found=$(mktemp)
setup=$(mktemp)
cat >$setup <<END
PROMPT= fpath=(${(q)1} \$fpath) found=$found
autoload -Uz compinit && compinit -u -d \$HOME/dump
compadd()
{
    # With -O, -A or -D it is asked to compute something, not to offer.
    if [[ " \${(@)argv[1,(i)(-|--)]}" != *' -'[a-zA-Z]#[OAD]* ]]; then
        local -a offered
        builtin compadd -O offered "\$@"
        print -rl -- \$offered >>\$found
    fi
    builtin compadd "\$@"
}
capture() { _main_complete; print DONE >>\$found; compstate[insert]= compstate[list]= }
zle -C capture complete-word capture
bindkey '^T' capture
END
zpty shell zsh -f -i
zpty -w shell "setopt extendedglob; source $setup; print READY >>$found"
for ((i = 0; i < 200; ++i)); do
    [[ -s $found ]] && break
    sleep 0.05
done
: >$found
zpty -w -n shell "$2"$'\C-T'
for ((i = 0; i < 200; ++i)); do
    grep -qx DONE $found && break
    sleep 0.05
done
grep -vx -e DONE -e '' $found
zpty -d shell
rm -f $found $setup
