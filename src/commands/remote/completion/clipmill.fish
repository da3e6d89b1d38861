# Calls `clipmill complete -- <words>`. See completion-commands.ts for its output.
function __clipmill_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for line in (clipmill complete -- $words[2..-1] "$typed" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$typed"
            case :folders
                __fish_complete_directories "$typed"
            case '*'
                echo $line
        end
    end
end
complete -c clipmill -f -a '(__clipmill_complete)'
