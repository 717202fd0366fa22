import { LockOutlined } from '@ant-design/icons'
import { Button, ConfigProvider, Form } from 'antd'
import { type ReactNode, useId } from 'react'
import { Card, Notice } from './feedback.tsx'
import { FormPage, type FormPageProps, useFormInstance, type Values } from './form.tsx'
import { time } from './format.ts'
import { PageShell } from './list-shell.tsx'

/** A changed setting as shown in the preview. */
export interface Difference {
  label: string
  before: string
  after: string
}

/** Who changed the settings last; empty for default settings. */
export interface LastChange {
  by: string | null | undefined
  /** A time in the server's format. */
  at: number | string | null | undefined
}

export const lastWords = ({ by, at }: LastChange): string => (at ? `最近由 ${by || '系统'} 于 ${time(at)} 修改` : '尚未修改过，为出厂设置')

/** The differences between two values of the same settings, in the order of `labels`; keys without a label are ignored. */
export function differencesOf<T extends object>(
  before: T,
  after: T,
  labels: Partial<Record<keyof T & string, string>>,
  words: (value: unknown, key: keyof T & string) => string = plainWords,
): Difference[] {
  return (Object.entries(labels) as [keyof T & string, string][])
    .map(([key, label]) => ({ label, before: words(before[key], key), after: words(after[key], key) }))
    .filter((one) => one.before !== one.after)
}

function plainWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return '无'
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) return value.length ? value.map(plainWords).join('、') : '无'
  if (typeof value === 'object') return Object.values(value).map(plainWords).join(' 至 ')
  return String(value)
}

function Differences({ of }: { of: readonly Difference[] }) {
  if (of.length === 0) return null
  return (
    <Card title="将要修改" remark={`${of.length} 处，保存后生效`}>
      <ul className="zg-differences">
        {of.map(({ label, before, after }) => (
          <li key={label}>
            {label}：<s className="zg-2">{before}</s> → <b>{after}</b>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Lock = ({ children }: { children: ReactNode }) => (
  <Notice tone="info">
    <LockOutlined /> {children}
  </Notice>
)

/** Disables every control for users who may not save: antd's controls by context, native ones by the fieldset. */
function Locked({ on, children }: { on: boolean; children: ReactNode }) {
  return (
    <ConfigProvider componentDisabled={on}>
      <fieldset disabled={on} className="zg-settings">
        {children}
      </fieldset>
    </ConfigProvider>
  )
}

interface Kept {
  last: LastChange | undefined
  /** Why the user may not save; undefined if saving is allowed. */
  lock: ReactNode | undefined
  /** Explains which settings are inherited, and where the page's own apply. */
  above?: ReactNode
}

export interface SettingsPageProps extends Kept {
  /** Title of a page inside a shell; by default the page's own title. */
  title?: string
  remark: string
  differences: readonly Difference[]
  /** Why saving is currently not possible. */
  fault?: string | undefined
  saving: boolean
  onSave: () => unknown
  onUndo: () => unknown
  /** Buttons before 保存. */
  actions?: ReactNode
  /** The page disables its controls itself for users who may not save, so that choosing, searching and copying still work. */
  locksItself?: boolean
  children: ReactNode
}

/** Layout of a settings page with its own controls: preview of changes, last editor, save button. */
export function SettingsPage(props: SettingsPageProps) {
  const { title, remark, last, lock, above, differences, fault, saving, onSave, onUndo, actions, locksItself, children } = props
  const reason = useId()
  const why = fault ?? (differences.length === 0 ? '没有修改' : undefined)
  return (
    <PageShell
      title={title}
      remark={last ? `${remark}；${lastWords(last)}` : remark}
      actions={
        !lock && (
          <>
            {actions}
            {differences.length > 0 && <Button onClick={() => void onUndo()}>撤销修改</Button>}
            <Button
              type="primary"
              disabled={why !== undefined}
              title={why}
              aria-describedby={fault ? reason : undefined}
              loading={saving}
              onClick={() => void onSave()}
            >
              保存
            </Button>
          </>
        )
      }
    >
      {lock && <Lock>{lock}</Lock>}
      {above && <Notice tone="info">{above}</Notice>}
      {fault && (
        <Notice tone="danger">
          <span id={reason}>{fault}</span>
        </Notice>
      )}
      <Differences of={differences} />
      {locksItself ? children : <Locked on={Boolean(lock)}>{children}</Locked>}
    </PageShell>
  )
}

interface SettingsFormProps<In, Out> extends Omit<FormPageProps<In, Out>, 'readOnly'>, Kept {
  /** The changes that saving would make. */
  differences: (values: Values) => readonly Difference[]
}

/** Settings as form fields: disabled for users who may not save, with a preview of the changes below. */
export function SettingsForm<In, Out>(props: SettingsFormProps<In, Out>) {
  const { last, lock, above, differences, remark, children, ...form } = props
  return (
    <FormPage {...form} readOnly={Boolean(lock)} remark={[remark, last && lastWords(last)].filter(Boolean).join('；')}>
      {lock && <Lock>{lock}</Lock>}
      {above && <Notice tone="info">{above}</Notice>}
      <Locked on={Boolean(lock)}>{children}</Locked>
      {!lock && <Watched differences={differences} />}
    </FormPage>
  )
}

function Watched({ differences }: { differences: (values: Values) => readonly Difference[] }) {
  const form = useFormInstance()
  const values: Values | undefined = Form.useWatch([], { form, preserve: true })
  return <Differences of={values ? differences(values) : []} />
}
