import { isTerminal, TaskState } from '../task-state.js';
import type { Artifact, Message, StreamResponse, Task, TaskStatus } from '../types/index.js';
import { partFrom03, partTo03 } from './parts.js';
import type { Artifact03, Event03, Message03, Task03, TaskStatus03 } from './types.js';
import { roleFrom03, roleTo03, stateFrom03, stateTo03 } from './words.js';

export function messageTo03({ role, parts, ...same }: Message): Message03 {
  return { kind: 'message', ...same, role: roleTo03(role), parts: parts.map(partTo03) };
}

export function messageFrom03({ kind: _kind, role, parts, ...same }: Message03): Message {
  return { ...same, role: roleFrom03(role), parts: parts.map(partFrom03) };
}

export function artifactTo03({ parts, ...same }: Artifact): Artifact03 {
  return { ...same, parts: parts.map(partTo03) };
}

export function artifactFrom03({ parts, ...same }: Artifact03): Artifact {
  return { ...same, parts: parts.map(partFrom03) };
}

export function statusTo03({ state, message, ...same }: TaskStatus): TaskStatus03 {
  return { ...same, state: stateTo03(state), ...(message && { message: messageTo03(message) }) };
}

export function statusFrom03({ state, message, ...same }: TaskStatus03): TaskStatus {
  return { ...same, state: stateFrom03(state), ...(message && { message: messageFrom03(message) }) };
}

export function taskTo03({ contextId = '', status, artifacts, history, ...same }: Task): Task03 {
  return {
    kind: 'task',
    ...same,
    contextId,
    status: statusTo03(status),
    ...(artifacts && { artifacts: artifacts.map(artifactTo03) }),
    ...(history && { history: history.map(messageTo03) }),
  };
}

export function taskFrom03({ kind: _kind, status, artifacts, history, ...same }: Task03): Task {
  return {
    ...same,
    status: statusFrom03(status),
    ...(artifacts && { artifacts: artifacts.map(artifactFrom03) }),
    ...(history && { history: history.map(messageFrom03) }),
  };
}

/** Whether a stream ends when a task comes to this state, which 0.3 says of the event. */
function isFinal(state: TaskState): boolean {
  return isTerminal(state) || state === TaskState.InputRequired;
}

/** An item of a stream, or the answer to a message, which is one of its first two kinds. */
export function eventTo03(event: StreamResponse): Event03 {
  if (event.statusUpdate) {
    const { status, ...same } = event.statusUpdate;
    return { kind: 'status-update', ...same, status: statusTo03(status), final: isFinal(status.state) };
  }
  if (event.artifactUpdate) {
    const { artifact, ...same } = event.artifactUpdate;
    return { kind: 'artifact-update', ...same, artifact: artifactTo03(artifact) };
  }
  return event.task ? taskTo03(event.task) : messageTo03(event.message);
}

export function eventFrom03(event: Event03): StreamResponse {
  switch (event.kind) {
    case 'status-update': {
      const { kind: _kind, final: _final, status, ...same } = event;
      return { statusUpdate: { ...same, status: statusFrom03(status) } };
    }
    case 'artifact-update': {
      const { kind: _kind, artifact, ...same } = event;
      return { artifactUpdate: { ...same, artifact: artifactFrom03(artifact) } };
    }
    case 'task':
      return { task: taskFrom03(event) };
    case 'message':
      return { message: messageFrom03(event) };
  }
}
