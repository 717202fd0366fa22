import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Form, type FormInstance, Input } from 'antd'
import {
  cloneElement,
  createContext,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { colors } from './colors.ts'
import { DetailSkeleton } from './feedback.tsx'
import { FormContext, GroupContext, type Name, pathFor, type Shared, useSaveKey, useSchemaForm } from './form-engine.tsx'
import { FormFrame, FormSection, type FormSectionProps } from './form-frame.tsx'
import { emptyWord, groupState, isRequired, maxLengthOf, pathText, problemAt } from './form-values.ts'
import {
  AreaInput,
  Choice,
  Choices,
  ClockInput,
  DayInput,
  LongText,
  MonthInput,
  TimeInput,
  TreeChoice,
  Upload,
  YearInput,
} from './inputs.tsx'
import { PageTitle } from './list-shell.tsx'
import { PageDrawer, PageModal } from './overlay.tsx'

export type { Values } from './form-engine.tsx'

export interface FieldProps {
  /** Path of the value in the body. */
  name: Name
  label?: ReactNode
  /** Notes under the control. */
  help?: ReactNode
  /** Right of the label: 读卡, a pin. */
  extra?: ReactNode
  span?: 'all' | 2
  /** Overrides the schema. */
  required?: boolean
  /** The control; receives `value` and `onChange`. */
  children: ReactElement
  /** Name of the control's value prop, `checked` for checkboxes. */
  valueName?: string
  initial?: unknown
}

/** Length of the path of the list around a field; 0 outside lists. */
const ListDepth = createContext(0)

/** A field bound to the body's schema, which supplies required mark, length and messages. */
export function Field({ name, label, help, extra, span, required, children, valueName = 'value', initial }: FieldProps) {
  const context = useContext(FormContext)
  const group = useContext(GroupContext)
  if (!context) throw new Error('Field stands outside a form')
  const { schema, convert, form, prefix, register } = context
  const path = [...prefix, ...pathFor(name)]
  const above = useContext(ListDepth)
  const key = pathText(path)
  useEffect(() => register(group, key), [register, group, key])
  const needed = required ?? isRequired(schema, path)
  const max = maxLengthOf(schema, path)
  const props = children.props as { maxLength?: number; 'aria-label'?: string }
  const takesLength = max !== undefined && props.maxLength === undefined && valueName === 'value' && isTextInput(children)
  const shownLabel = label !== undefined && (
    <span className="zg-label">
      {label}
      {needed && (
        <span className="must" aria-hidden="true">
          *
        </span>
      )}
      {extra && <span className="extra">{extra}</span>}
    </span>
  )
  return (
    <Form.Item
      // Inside a list antd takes names relative to it; the schema and messages use the whole path.
      name={path.slice(above)}
      label={shownLabel || undefined}
      extra={help}
      required={needed}
      valuePropName={valueName}
      validateTrigger={['onBlur']}
      initialValue={initial}
      className={span ? (span === 'all' ? 'zg-span-all' : 'zg-span-2') : undefined}
      rules={[
        {
          validator: async () => {
            const problem = problemAt({ schema, convert }, form.getFieldsValue(true), path, needed)
            if (problem) throw new Error(problem === emptyWord ? emptyWordOf(children) : problem)
          },
        },
      ]}
    >
      {cloneElement(children, {
        maxLength: takesLength ? max : undefined,
        // A field without a label takes the name of its group.
        'aria-label': label === undefined && !props['aria-label'] ? group : undefined,
      } as object)}
    </Form.Item>
  )
}

/** Controls that take `maxLength` from the schema. */
const textInputs: readonly unknown[] = [Input, Input.TextArea, Input.Password, LongText]
/** Controls whose value is picked from a list or a calendar: their message says 请选择. */
const chosenInputs: readonly unknown[] = [Choice, Choices, TreeChoice, AreaInput, DayInput, TimeInput, MonthInput, YearInput, ClockInput]
const emptyWordOf = ({ type }: ReactElement): string => (type === Upload ? '请上传' : chosenInputs.includes(type) ? '请选择' : emptyWord)

const isTextInput = (element: ReactElement): boolean => textInputs.includes(element.type)

/** A group of fields, with its anchor at the left. */
export function FieldGroup({ title, remark, actions, children }: Omit<FormSectionProps, 'flush'>) {
  const context = useContext(FormContext)
  return (
    <FormSection title={title} remark={remark} actions={actions} flush>
      <div className={`zg-fields ${context?.columns === 3 ? 'zg-fields-3' : ''}`}>
        <GroupContext value={title}>{children}</GroupContext>
      </div>
    </FormSection>
  )
}

/** Fields that appear because of a choice. `why` says which choice, and what happens when it changes. */
export function DependentFields({ why, children }: { why: ReactNode; children: ReactNode }) {
  return (
    <div className="zg-dependent">
      <div className="why">{why}</div>
      {children}
    </div>
  )
}

/** The current value of a field, for fields that depend on it. */
export function useFieldValue<T = unknown>(name: Name): T | undefined {
  const context = useContext(FormContext)
  return Form.useWatch([...(context?.prefix ?? []), ...pathFor(name)], { form: context?.form, preserve: true }) as T | undefined
}

/** The form instance, to set values that follow from another field: `useFormInstance().setFieldValue(['a'], 1)`. */
export function useFormInstance(): FormInstance {
  const context = useContext(FormContext)
  if (!context) throw new Error('outside a form')
  return context.form
}

/** Repeated rows. `children` receives the prefix of its fields' names and a function that removes the row. */
export function FieldList({
  name,
  add,
  children,
  max = 200,
}: {
  name: string
  add: string
  max?: number
  children: (at: { index: number; name: (field: string) => string; remove: () => void }) => ReactNode
}) {
  const prefix = useContext(FormContext)?.prefix ?? []
  const path = [...prefix, ...pathFor(name)]
  return (
    <Form.List name={path}>
      {(rows, { add: append, remove }) => (
        <ListDepth value={path.length}>
          <div className="zg-span-all">
            {rows.map((row) => (
              <div key={row.key}>
                {children({ index: row.name, name: (field) => `${name}.${row.name}.${field}`, remove: () => remove(row.name) })}
              </div>
            ))}
            <Button type="dashed" disabled={rows.length >= max} onClick={() => append({})} className="zg-below-12">
              {add}
            </Button>
          </div>
        </ListDepth>
      )}
    </Form.List>
  )
}

export interface FormPageProps<In, Out> extends Shared<In, Out> {
  title?: ReactNode
  remark?: ReactNode
  titleActions?: ReactNode
  /** The item to edit is still loading. */
  loading?: boolean
  /** Column of 288 px at the right. */
  aside?: ReactNode
  onCancel?: () => void
  /** Further buttons in the bar. */
  barActions?: ReactNode
  barRemark?: ReactNode
  /** For users who may not save: no save bar. */
  readOnly?: boolean
}

/** A form as a whole page: anchors, groups in three columns from 1440 px, a fixed save bar. */
export function FormPage<In, Out>(props: FormPageProps<In, Out>) {
  if (props.loading) {
    return (
      <div className="zg-page">
        <PageTitle title={props.title} remark={props.remark} />
        <DetailSkeleton />
      </div>
    )
  }
  return <FormPageReady {...props} />
}

function FormPageReady<In, Out>(props: FormPageProps<In, Out>) {
  const { form, context, groups, errors, values, submit, changed } = useSchemaForm(props, 3)
  const middle = useRef<HTMLDivElement>(null)
  const named = [...groups].filter(([group, names]) => group && names.length > 0)
  // Groups register in the order in which their fields mount; the correct order is the one in the document.
  const order = [...(middle.current?.querySelectorAll('[data-group]') ?? [])].map((one) => one.getAttribute('data-group') ?? '')
  const sorted = named.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  const anchors = sorted.map(([title, names]) => ({ title, state: <Filled {...groupState(names, values, errors)} /> }))
  return (
    <FormFrame
      title={props.title}
      remark={props.remark}
      titleActions={props.titleActions}
      anchors={anchors}
      aside={props.aside && <FormContext value={context}>{props.aside}</FormContext>}
      box={middle}
      bar={
        props.readOnly
          ? undefined
          : {
              onSave: submit,
              saving: props.act.running,
              saveText: props.saveText,
              onCancel: props.onCancel,
              errors: errors.size,
              onShowErrors: () => form.scrollToField(pathFor([...errors][0] ?? ''), { block: 'center', focus: true }),
              actions: props.barActions,
              remark: props.barRemark,
            }
      }
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={props.initial ?? {}}
        scrollToFirstError={false}
        onValuesChange={changed}
        component="div"
        className="zg-form-fields"
      >
        <FormContext value={context}>{props.children}</FormContext>
      </Form>
    </FormFrame>
  )
}

/** Number of filled fields of a group, or the number with errors. */
function Filled({ errors, filled, total }: { errors: number; filled: number; total: number }) {
  if (errors > 0)
    return (
      <span className="tone-danger">
        <CloseCircleFilled /> {errors}
      </span>
    )
  return filled === total ? <CheckCircleFilled className="tone-fine" /> : `${filled} / ${total}`
}

export interface FormDrawerProps<In, Out> extends Shared<In, Out> {
  open: boolean
  title: ReactNode
  /** The edited item, beside the title. */
  remark?: ReactNode
  onClose: () => void
  /** One column instead of two. */
  narrow?: boolean
  width?: number
}

/** A form of up to twelve fields in a drawer. Closes after saving; asks for confirmation before changes are lost. */
export function FormDrawer<In, Out>(props: FormDrawerProps<In, Out>) {
  return props.open ? <FormDrawerOpen {...props} /> : null
}

function FormDrawerOpen<In, Out>(props: FormDrawerProps<In, Out>) {
  const { form, context, errors, dirty, submit, changed } = useSchemaForm(props, 2)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    if (dirty) setIsOpen(true)
    else props.onClose()
  }
  const save = async () => {
    if (await submit()) props.onClose()
  }
  const box = useRef<HTMLDivElement>(null)
  useSaveKey(box, save)
  return (
    <>
      <PageDrawer
        open
        size={props.width ?? 720}
        title={
          <>
            {props.title}{' '}
            {props.remark && (
              <span className="zg-2" style={{ fontWeight: 400, fontSize: 13, marginLeft: 8 }}>
                {props.remark}
              </span>
            )}
          </>
        }
        onClose={close}
        styles={{ body: { padding: 4 } }}
        footer={
          <div className="zg-drawer-foot zg-row zg-middle">
            <span className="tone-danger">
              {errors.size > 0 && (
                <>
                  <CloseCircleFilled /> {errors.size} 处错误
                </>
              )}
            </span>
            <Button className="zg-end zg-h-32" onClick={close}>
              取消
            </Button>
            <Button type="primary" className="zg-h-32" loading={props.act.running} onClick={() => void save()}>
              {props.saveText ?? '保存'}
            </Button>
          </div>
        }
      >
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={props.initial ?? {}}
          onValuesChange={changed}
          component="div"
        >
          <FormContext value={context}>
            <div ref={box} className={props.narrow ? 'zg-fields zg-fields-1' : 'zg-fields'}>
              {props.children}
            </div>
          </FormContext>
        </Form>
      </PageDrawer>
      <PageModal
        open={isOpen}
        width={360}
        title="放弃已填写的内容？"
        okText="放弃"
        okButtonProps={{ danger: true }}
        cancelText="继续填写"
        onOk={props.onClose}
        onCancel={() => setIsOpen(false)}
      >
        关闭后填写的内容不再保留。
      </PageModal>
    </>
  )
}

/** The body of an endpoint, to type the `input` function: `(values: BodyOf<typeof createTeam>) => ({ body: values })`. */
export type BodyOf<E> = InputFor<E> extends { body: infer B } ? B : never

/** A read-only value, with the props of a control. */
export function ReadOnly({ value }: { value?: ReactNode }) {
  const shown = value === undefined || value === null || value === '' ? '--' : value
  return (
    <div style={{ minHeight: 28, padding: '3px 8px', background: colors.ground, border: '1px solid var(--line)', borderRadius: 4 }}>
      {isValidElement(shown) ? shown : String(shown)}
    </div>
  )
}
