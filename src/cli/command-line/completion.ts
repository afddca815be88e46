import { COMMAND_OPTIONS } from './command.js';
import type { CommandTable } from './command.js';

/** Operation 1.15. Returns the exit code. */
export function printCompletion(shell: string, table: CommandTable): number {
  const script = SCRIPTS.get(shell)?.(table);
  if (script === undefined) {
    process.stderr.write(
      `rollcall: there is a completion for ${[...SCRIPTS.keys()].join(' and ')}, not for ${shell}\n`,
    );
    return 1;
  }
  process.stdout.write(script);
  return 0;
}

const SCRIPTS: ReadonlyMap<string, (table: CommandTable) => string> = new Map([
  ['bash', formatBashCompletion],
  ['zsh', formatZshCompletion],
]);

/** The first word that is no option and no value of one is the command. After an option with a value, a file. */
function formatBashCompletion(table: CommandTable): string {
  const cases = [...table].map(([name, { options }]) => `    ${name}) words="${listOptions(options)}" ;;\n`);
  return `# rollcall completion bash; load it with: eval "$(rollcall completion bash)"
_rollcall() {
  local word command="" previous="" words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) [[ $previous == --config || $previous == --limit ]] || { command=$word; break; } ;;
    esac
    previous=$word
  done
  case \${COMP_WORDS[COMP_CWORD-1]} in
    --config) mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"); return ;;
  esac
  case $command in
    "") words="${[...table.keys(), '--help', '--version'].join(' ')}" ;;
${cases.join('')}  esac
  [[ $command == completion ]] && words="bash zsh"
  [[ $command == init ]] && { mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"); return; }
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _rollcall rollcall
`;
}

function formatZshCompletion(table: CommandTable): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const commands = [...table].map(([name, { summary }]) => `    ${quote(`${name}:${summary}`)}\n`);
  const cases = [...table].map(([name, { options }]) => {
    const rows = options.map((option) => {
      const { text, ...rest } = COMMAND_OPTIONS[option];
      const value = 'value' in rest ? `:${rest.value}:${option === 'config' ? '_files' : ''}` : '';
      return quote(`--${option}[${text.replaceAll(':', '\\:')}]${value}`);
    });
    return `    ${name}) _arguments '1:command:' ${[...rows, quote('--help[print the help of the command]')].join(' ')} ;;\n`;
  });
  return `#compdef rollcall
# rollcall completion zsh; write it to a file named _rollcall in a folder of $fpath
_rollcall() {
  local -a commands
  commands=(
${commands.join('')}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('')}  esac
}
_rollcall "$@"
`;
}

function listOptions(options: readonly string[]): string {
  return [...options, 'help'].map((option) => `--${option}`).join(' ');
}
