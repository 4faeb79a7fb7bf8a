import type { Strategy } from 'passport-strategy';
import { readAuthorization, type Authorization, type Reading } from './authorization-header.js';
import { askEntry, isFailure, type EntryFailure, type EntryLabel, type WorkingEntry } from './auth-entry.js';
import type { BasicCredential, CredentialVerifier, Principal } from './credential-verifier.js';
import { nodeRequestOf } from './node-request.js';
import { readBasic, readBearer } from './read-credential.js';

/** What passport puts on a strategy for one request. */
interface Actions {
  success(principal: Principal, label: EntryLabel): void;
  fail(failure: EntryFailure): void;
}

/**
 * The strategies, on a class of a package that is loaded only when `auth` is used.
 *
 * They never end the attempt with `error()`: while one entry cannot tell, a later one may still admit the caller. What
 * comes of failures is decided when all entries have been asked.
 */
export function defineStrategies(Base: typeof Strategy) {
  abstract class CredentialStrategy<C> extends Base {
    constructor(
      private readonly label: EntryLabel,
      private readonly scopes: readonly string[],
      private readonly verifier: CredentialVerifier<C>,
      private readonly read: (authorization: Authorization) => Reading<C>,
    ) {
      super();
    }

    override authenticate(request: object): void {
      const actions = this as unknown as Actions;
      const { label } = this;
      const reading = this.read(readAuthorization(nodeRequestOf(request)));
      if (reading.credential === undefined) {
        const { fault } = reading;
        actions.fail(
          fault === undefined
            ? { ...label, kind: 'absent', reason: `no ${label.scheme} credential` }
            : { ...label, kind: 'rejected', reason: fault },
        );
        return;
      }
      void askEntry(label, this.scopes, this.verifier, reading.credential).then((outcome) => {
        if (isFailure(outcome)) actions.fail(outcome);
        else actions.success(outcome, label);
      });
    }
  }

  class BearerStrategy extends CredentialStrategy<string> {
    constructor(label: EntryLabel, scopes: readonly string[], verifier: CredentialVerifier<string>) {
      super(label, scopes, verifier, readBearer);
    }
  }

  class BasicStrategy extends CredentialStrategy<BasicCredential> {
    constructor(label: EntryLabel, scopes: readonly string[], verifier: CredentialVerifier<BasicCredential>) {
      super(label, scopes, verifier, readBasic);
    }
  }

  return (working: WorkingEntry): Strategy => {
    const { entry, scheme, scopes } = working;
    const label: EntryLabel = { entry, scheme };
    return working.scheme === 'Bearer'
      ? new BearerStrategy(label, scopes, working.verifier)
      : new BasicStrategy(label, scopes, working.verifier);
  };
}
