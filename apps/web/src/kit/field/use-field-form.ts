import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { Act } from '../call.ts'
import { type About, useFieldAct } from './use-field-act.ts'

/**
 * The act of a form page that works without network: what `FormPage` sends is kept on the device first. `about` says what waits, for the
 * outbox.
 */
export function useFieldForm<In, Parsed, Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  about: (input: In) => About,
  options: Parameters<typeof useFieldAct<In, Parsed, Out>>[1] = {},
): Pick<Act<In, Out>, 'run' | 'running' | 'fieldErrors' | 'body'> {
  const { run, running, fieldErrors } = useFieldAct(endpoint, options)
  const send = async (input: In) => run(input, about(input))
  return { run: send as Act<In, Out>['run'], running, fieldErrors, body: endpoint.schemas.body }
}
