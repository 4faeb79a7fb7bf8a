import type {
  Artifact03,
  Event03,
  Message03,
  Part03,
  SendParams03,
  Task03,
  TaskPushConfig03,
  TaskStatus03,
} from './types.js';
import { roleName, stateName } from './words.js';

/**
 * The messages of 0.3 as its HTTP+JSON binding writes them: the JSON of its proto. It has no place for the metadata of a part,
 * the name of a file and the tasks that a message refers to, and strict readers refuse what they do not know.
 */
export function messageToRest({
  kind: _kind,
  role,
  parts,
  referenceTaskIds: _ids,
  ...same
}: Message03): object {
  return { ...same, role: roleName(role), content: parts.map(partToRest) };
}

function partToRest(part: Part03): object {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind === 'data') return { data: { data: part.data } };
  const { bytes, uri, mimeType } = part.file;
  return {
    file: {
      ...(bytes !== undefined ? { fileWithBytes: bytes } : { fileWithUri: uri }),
      ...(mimeType !== undefined && { mimeType }),
    },
  };
}

function artifactToRest({ parts, ...same }: Artifact03): object {
  return { ...same, parts: parts.map(partToRest) };
}

function statusToRest({ state, message, ...same }: TaskStatus03): object {
  return { ...same, state: stateName(state), ...(message && { message: messageToRest(message) }) };
}

export function taskToRest({ kind: _kind, status, artifacts, history, ...same }: Task03): object {
  return {
    ...same,
    status: statusToRest(status),
    ...(artifacts && { artifacts: artifacts.map(artifactToRest) }),
    ...(history && { history: history.map(messageToRest) }),
  };
}

/** An item of a stream, or the answer to a message. */
export function eventToRest(event: Event03): object {
  switch (event.kind) {
    case 'task':
      return { task: taskToRest(event) };
    case 'message':
      return { message: messageToRest(event) };
    case 'status-update': {
      const { kind: _kind, status, ...same } = event;
      return { statusUpdate: { ...same, status: statusToRest(status) } };
    }
    case 'artifact-update': {
      const { kind: _kind, artifact, ...same } = event;
      return { artifactUpdate: { ...same, artifact: artifactToRest(artifact) } };
    }
  }
}

/** A webhook under the name that the proto of 0.3 gives it. */
export function pushConfigToRest({ taskId, pushNotificationConfig }: TaskPushConfig03): object {
  const { id = '' } = pushNotificationConfig;
  return { name: `tasks/${taskId}/pushNotificationConfigs/${id}`, pushNotificationConfig };
}

/** The body of a send. A field of the proto that is not there is false, so `blocking` says it in any case. */
export function sendParamsToRest({ message, configuration, ...same }: SendParams03): object {
  const { pushNotificationConfig, ...others } = configuration ?? {};
  return {
    message: messageToRest(message),
    configuration: { ...others, ...(pushNotificationConfig && { pushNotification: pushNotificationConfig }) },
    ...same,
  };
}
