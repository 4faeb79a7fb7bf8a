import type { Step } from './behaviour.js';

/** An artifact that says who calls and where, as an executor sees it. */
export const seen: Step = ({ call, contextId, taskId }, task) =>
  task.addArtifact([
    {
      data: {
        identity: call.identity ?? null,
        authority: call.authority ?? null,
        tenant: call.tenant ?? null,
        extensions: [...call.extensions],
        contextId,
        taskId,
      },
    },
  ]);
