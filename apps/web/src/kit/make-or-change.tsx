import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { useAct } from './call.ts'
import { FormPage, type FormPageProps, type Values } from './form.tsx'

interface Way<In, Out> {
  call: Endpoint<In, unknown, Out>
  title: string
  remark?: string | undefined
  /** Initial values of the fields; undefined while they load. */
  initial: Values | undefined
  input?: FormPageProps<In, Out>['input']
  success?: string | ((data: Out) => string)
  onDone?: (data: Out) => void
}

/**
 * Initial values for editing an item: the fields of the request body, with its version, so that a concurrent change is detected. Undefined
 * until the item is loaded.
 */
export function initialOf(call: Pick<Endpoint, 'schemas'>, read: object | undefined): Values | undefined {
  const { body } = call.schemas
  if (!read || !(body && 'shape' in body)) return undefined
  const given = new Map(Object.entries(read))
  return Object.fromEntries(
    Object.keys(body.shape as object).flatMap((key) => (given.has(key) ? [[key, given.get(key) ?? undefined]] : [])),
  )
}

interface MakeOrChangeProps<New, Made, Edit, Changed>
  extends Omit<FormPageProps<New, Made>, 'act' | 'schema' | 'initial' | 'input' | 'title' | 'remark' | 'loading'> {
  /** Id of the item to edit; empty when creating one. */
  id: string
  make: Way<New, Made>
  change: Way<Edit, Changed>
}

/** One form for both: with the fields as its children it creates an item, or edits the one with this id. */
export function MakeOrChange<New, Made, Edit, Changed>({ id, make, change, ...rest }: MakeOrChangeProps<New, Made, Edit, Changed>) {
  return id ? <One {...change} {...rest} key={id} /> : <One {...make} {...rest} />
}

function One<In, Out>({
  call,
  initial,
  success = '已保存',
  onDone,
  ...page
}: Way<In, Out> & Omit<MakeOrChangeProps<unknown, unknown, unknown, unknown>, 'id' | 'make' | 'change'>) {
  const act = useAct(call, { success, onDone: (data) => onDone?.(data) })
  return <FormPage {...page} act={act} initial={initial} loading={initial === undefined} />
}
