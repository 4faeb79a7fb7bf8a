import { Controller, Get, UseGuards } from '@nestjs/common';
import { A2AAuthGuard, A2ACaller, TaskOwner, TaskStore, type Principal } from 'nest-a2a';

/** A controller of the application, for the callers of the agent. */
@Controller('notes')
@UseGuards(A2AAuthGuard)
export class NotesController {
  constructor(private readonly tasks: TaskStore) {}

  @Get()
  async count(
    @A2ACaller() { identity }: Principal,
    @TaskOwner() owner: string | undefined,
  ): Promise<{ identity: string; notes: number }> {
    const scope = { agent: 'default', ...(owner !== undefined && { owner }) };
    const { total } = await this.tasks.list({ limit: 1 }, scope);
    return { identity, notes: total };
  }
}
