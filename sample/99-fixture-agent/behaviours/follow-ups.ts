import { Role, type Message } from 'nest-a2a';
import { steps, type Behaviour } from './behaviour.js';
import { behaviourOfId } from './by-message-id.js';
import { completed, inputRequired, text } from './steps.js';

/** What a question makes of the messages that follow it on its task. */
interface Dialogue {
  /** Whether the text of a first message opens the dialogue. */
  opens(text: string): boolean;
  /** Whether the text of a message closes it: what comes after is a first message again. */
  closes(text: string): boolean;
  reply(text: string): Behaviour;
}

const DIALOGUES: readonly Dialogue[] = [
  {
    opens: (value) => value.startsWith('ask:'),
    closes: () => true,
    reply: (value) => steps(text(`answer: ${value}`), completed()),
  },
  {
    opens: (value) => value === 'tck-multi-turn',
    closes: (value) => value === 'done',
    reply: (value) => steps(value === 'done' ? completed() : inputRequired('Tell me more, or "done"')),
  },
];

/** What the newest message asks for because of those before it on its task, oldest first, if it does. */
export function behaviourOfFollowUp(messages: readonly Message[]): Behaviour | undefined {
  let open: Dialogue | undefined;
  let behaviour: Behaviour | undefined;
  for (const message of messages) {
    if (message.role !== Role.User) continue;
    const value = message.parts[0]?.text ?? '';
    behaviour = open?.reply(value);
    if (open) open = open.closes(value) ? undefined : open;
    else if (!behaviourOfId(message.messageId)) open = DIALOGUES.find((dialogue) => dialogue.opens(value));
  }
  return behaviour;
}
