import { TaskState, type ListTasksRequest, type ListTasksResponse, type Task } from '../protocol/index.js';
import { withHistoryLength } from './history-length.js';
import { decodePageToken, encodePageToken } from './page-token.js';
import type { TaskEngine } from './task-engine.js';
import type { TaskScope } from './task-scope.js';

const DEFAULT_PAGE_SIZE = 50;

/** Lists tasks page by page (§3.1.4). */
export class TaskListing {
  constructor(private readonly engine: TaskEngine) {}

  async list(request: ListTasksRequest, scope: TaskScope): Promise<ListTasksResponse> {
    const { pageSize = DEFAULT_PAGE_SIZE, pageToken, historyLength, includeArtifacts = false } = request;
    const filters = filtersOf(request);
    const page = await this.engine.parts.store.list(
      {
        ...filters,
        ...(pageToken && { after: decodePageToken(pageToken, filters, scope) }),
        limit: pageSize,
        includeArtifacts,
      },
      scope,
    );
    const tasks = page.records.map(({ task }) => shown(task, includeArtifacts, historyLength));
    const last = page.records.at(-1)?.task;
    const nextPageToken = page.more && last ? encodePageToken(cursorOf(last), filters, scope) : '';
    return { tasks, nextPageToken, pageSize, totalSize: page.total };
  }
}

function filtersOf({ contextId, status, statusTimestampAfter }: ListTasksRequest) {
  return {
    ...(contextId && { contextId }),
    ...(status && status !== TaskState.Unspecified && { status }),
    ...(statusTimestampAfter && { statusTimestampAfter: Date.parse(statusTimestampAfter) }),
  };
}

function cursorOf({ id, status }: Task): { timestamp: number; id: string } {
  return { id, timestamp: status.timestamp ? Date.parse(status.timestamp) : 0 };
}

function shown(task: Task, includeArtifacts: boolean, historyLength: number | undefined): Task {
  const trimmed = withHistoryLength(task, historyLength);
  if (includeArtifacts || trimmed.artifacts === undefined) return trimmed;
  const { artifacts: _left, ...rest } = trimmed;
  return rest;
}
