import { Form, type FormInstance } from 'antd'
import { createContext, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Act } from './call.ts'
import { type Convert, pathText, problemsOf, tidy } from './form-values.ts'
import { usePage } from './page.tsx'
import { useUnsaved } from './unsaved.ts'

export type Values = Record<string, unknown>
export type Name = string | readonly (string | number)[]

/** `'a.b'` or `['a', 0, 'b']`. */
export const pathFor = (name: Name): (string | number)[] =>
  typeof name === 'string' ? name.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)) : [...name]

export interface FormState {
  schema: z.ZodType | undefined
  convert: Convert | undefined
  form: FormInstance
  prefix: readonly (string | number)[]
  register: (group: string, name: string) => () => void
  columns: 2 | 3
}
export const FormContext = createContext<FormState | undefined>(undefined)
export const GroupContext = createContext('')

type BodyIn<In> = In extends { body: infer Body } ? Body : Values

export interface Shared<In, Out> {
  act: Pick<Act<In, Out>, 'run' | 'running' | 'fieldErrors' | 'body'>
  /** Schema of the form's values, where they differ from the request body. */
  schema?: z.ZodType | undefined
  /** Initial values. */
  initial?: Values | undefined
  /** Converts the validated values to the call's input; by default they are its body. */
  input?: ((body: BodyIn<In>) => In) | undefined
  children: ReactNode
  saveText?: string
  /** Keeps what is typed (`useDeviceDraft`): then nothing is lost by leaving, and nobody is asked. */
  onValues?: ((values: Values) => void) | undefined
}

/**
 * The common engine of `FormPage` and `FormDrawer`: antd's form, validated by the schema, with the server's field errors shown at their
 * fields.
 */
export function useSchemaForm<In, Out>({ act, schema = act.body, initial, input, onValues }: Shared<In, Out>, columns: 2 | 3) {
  const [form] = Form.useForm()
  const page = usePage()
  const [groups, setGroups] = useState<ReadonlyMap<string, readonly string[]>>(new Map())
  const [errors, setErrors] = useState<ReadonlySet<string>>(new Set())
  const [values, setValues] = useState<Values>(initial ?? {})
  const [dirty, setDirty] = useState(false)
  useUnsaved(dirty && !onValues, page.cacheKey, page.entry.title)

  const register = useRef((group: string, name: string) => {
    setGroups((now) => new Map(now).set(group, [...(now.get(group) ?? []), name]))
    return () =>
      setGroups((now) =>
        new Map(now).set(
          group,
          (now.get(group) ?? []).filter((one) => one !== name),
        ),
      )
  })
  const latestInput = useRef(input)
  useEffect(() => {
    latestInput.current = input
  })
  const context = useMemo<FormState>(() => {
    const convert: Convert = (tidied) => {
      const made = latestInput.current?.(tidied as BodyIn<In>)
      return (made as { body?: unknown } | undefined)?.body
    }
    return { schema, convert, form, prefix: [], register: register.current, columns }
  }, [schema, form, columns])

  const collect = () =>
    setErrors(
      new Set(
        form
          .getFieldsError()
          .filter((one) => one.errors.length > 0)
          .map((one) => pathText(one.name)),
      ),
    )
  const showFirst = () => {
    const first = form.getFieldsError().find((one) => one.errors.length > 0)
    if (first) form.scrollToField(first.name, { block: 'center', focus: true })
  }

  const { fieldErrors } = act
  useEffect(() => {
    const given = Object.entries(fieldErrors)
    if (given.length === 0) return
    form.setFields(given.map(([name, message]) => ({ name: pathFor(name), errors: [message] })))
    setErrors(
      new Set(
        form
          .getFieldsError()
          .filter((one) => one.errors.length > 0)
          .map((one) => pathText(one.name)),
      ),
    )
    const first = form.getFieldsError().find((one) => one.errors.length > 0)
    if (first) form.scrollToField(first.name, { block: 'center', focus: true })
  }, [fieldErrors, form])

  const submit = async (): Promise<boolean> => {
    try {
      await form.validateFields()
    } catch {
      collect()
      showFirst()
      return false
    }
    setErrors(new Set())
    const checked = tidy(form.getFieldsValue(true), schema, initial)
    // Messages that belong to no visible field must be shown too.
    const rest = [...problemsOf(schema, checked, context.convert)].filter(
      ([at]) => !form.getFieldsError().some((one) => at === pathText(one.name)),
    )
    if (rest.length > 0) console.warn('form: the body is not complete', rest)
    const run = act.run as (input: In, options: { fieldsShown: boolean }) => Promise<{ data: Out } | undefined>
    const done = await run(input ? input(checked as BodyIn<In>) : ({ body: checked } as In), { fieldsShown: true })
    if (done) setDirty(false)
    return done !== undefined
  }

  const changed = (_: unknown, all: Values) => {
    setValues(all)
    setDirty(true)
    // The values of fields that are not shown belong to the form as well.
    onValues?.(form.getFieldsValue(true) as Values)
    // A field with an error is validated again while the user corrects it.
    const wrong = form.getFieldsError().filter((one) => one.errors.length > 0)
    if (wrong.length > 0) void form.validateFields(wrong.map((one) => one.name)).then(collect, collect)
  }

  return { form, context, groups, errors, values, dirty, submit, changed, collect }
}

interface OpenForm {
  box: () => HTMLElement | null
  submit: () => unknown
}
/** Forms of the visible page, the topmost last. React removes the effects of hidden pages, so their forms are not included. */
const openForms: OpenForm[] = []

/** The form that a key press is for: the one around its target; the topmost one if the focus is on nothing, as after an upload. */
function formOf(target: Node): OpenForm | undefined {
  const around = openForms.findLast((form) => form.box()?.contains(target))
  if (around) return around
  const overlay = target instanceof Element ? target.closest('.ant-modal-root, .ant-drawer') : null
  const topmost = openForms.at(-1)
  if (overlay && !overlay.contains(topmost?.box() ?? null)) return undefined
  const question = [...document.querySelectorAll<HTMLElement>('.ant-modal-wrap')].find((modal) => modal.offsetHeight > 0)
  return question && !question.contains(topmost?.box() ?? null) ? undefined : topmost
}

const onSaveKey = (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
  const form = event.target instanceof Node ? formOf(event.target) : undefined
  if (!form) return
  event.preventDefault()
  void form.submit()
}

/** Ctrl+Enter saves from anywhere on the page, but not from a dialog above the form. Nothing is saved while `submit` is undefined. */
export function useSaveKey(box: RefObject<HTMLElement | null>, submit: (() => unknown) | undefined): void {
  const latest = useRef(submit)
  useEffect(() => {
    latest.current = submit
  })
  const maySave = submit !== undefined
  useEffect(() => {
    if (!maySave) return
    const form: OpenForm = { box: () => box.current, submit: () => latest.current?.() }
    if (openForms.length === 0) document.addEventListener('keydown', onSaveKey)
    openForms.push(form)
    return () => {
      openForms.splice(openForms.indexOf(form), 1)
      if (openForms.length === 0) document.removeEventListener('keydown', onSaveKey)
    }
  }, [box, maySave])
}
