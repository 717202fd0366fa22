import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, LockOutlined, PlusOutlined } from '@ant-design/icons'
import { type Approver, type FlowNode, flowModes, lateActs } from '@zhugong/contract/workflow/flow'
import { Button, Checkbox, Input, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { Tag } from '#kit/feedback.tsx'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import { FlowConditions } from './flow-conditions.tsx'
import { approverKinds, conditionWords, deciderWords, isNamedOnly, type Setting } from './flow-words.ts'

interface Props {
  node: FlowNode
  first: boolean
  last: boolean
  setting: Setting
  editable: boolean
  onChange: (part: Partial<FlowNode>) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
  onInsert: () => void
}

/** One step of a flow: its approvers, mode, conditions, and what happens when it is overdue. */
export function FlowNodeCard(props: Props) {
  const { node, first, last, setting, editable, onMove, onRemove, onInsert } = props
  const current = setting.locked.includes(node.key)
  const now = setting.resolved.find((r) => r.key === node.key)
  const empty = now?.empty === true
  return (
    <section className={`flow-node ${empty ? 'empty' : ''} ${current || node.locked ? 'locked' : ''}`} aria-label={node.name}>
      <header>
        <b>{node.name}</b>
        <span className="zg-2">{flowModes[node.mode]}</span>
        {node.beside && <span className="zg-2">与上一步同时</span>}
        {(current || node.locked) && (
          <Tag icon={<LockOutlined />} tone="warning">
            {current ? '上级锁定' : '对下锁定'}
          </Tag>
        )}
        {empty && <Tag tone="danger">目前无人，将转管理员</Tag>}
        {editable && (
          <span className="right">
            <Button type="text" size="small" icon={<ArrowUpOutlined />} aria-label="上移" disabled={first} onClick={() => onMove(-1)} />
            <Button type="text" size="small" icon={<ArrowDownOutlined />} aria-label="下移" disabled={last} onClick={() => onMove(1)} />
            <Button type="text" size="small" icon={<PlusOutlined />} aria-label="在后面增加步骤" onClick={onInsert} />
            <Button
              type="text"
              size="small"
              danger
              icon={<DeleteOutlined />}
              aria-label="去掉步骤"
              disabled={current}
              title={current ? '上级锁定，不能去掉' : undefined}
              onClick={onRemove}
            />
          </span>
        )}
      </header>
      {editable ? <Fields {...props} current={current} /> : <Words node={node} setting={setting} />}
      {now && now.people.length > 0 && (
        <p className="zg-2">
          现为{' '}
          {now.people
            .slice(0, 6)
            .map((p) => p.name)
            .join('、')}
          {now.people.length > 6 && ` 等 ${now.people.length} 人`}
        </p>
      )}
    </section>
  )
}

function Words({ node, setting }: { node: FlowNode; setting: Setting }) {
  const lines = [
    ['由', deciderWords(node, setting)],
    ['条件', node.when.map((c) => conditionWords(c, setting)).join('，且 ')],
    ['时限', node.hours === null ? '' : `${node.hours} 小时，超时${lateActs[node.late]}`],
    [
      '另',
      [node.mayTransfer ? '可转办' : '不可转办', node.sign ? '须签名' : '', node.copyTo.length ? `抄送 ${node.copyTo.length} 人` : '']
        .filter(Boolean)
        .join('，'),
    ],
  ].filter(([, text]) => text)
  return (
    <div>
      {lines.map(([label, text]) => (
        <span key={label} className="wide">
          <span className="zg-2">{label}：</span>
          {text}
        </span>
      ))}
    </div>
  )
}

const Field = ({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
  <label className={wide ? 'flow-field wide' : 'flow-field'}>
    <span className="zg-label">{label}</span>
    {children}
  </label>
)

const kindOptions = Object.entries(approverKinds).map(([value, label]) => ({ value, label }))
const lateOptions = Object.entries(lateActs).map(([value, label]) => ({ value: value as FlowNode['late'], label }))
const modeOptions = Object.entries(flowModes).map(([value, label]) => ({ value: value as FlowNode['mode'], label }))

function Fields({ node, first, setting, onChange, current }: Props & { current: boolean }) {
  const people = setting.people.map((p) => ({ value: p.id, label: p.name }))
  return (
    <div>
      <Field label="名称">
        <Input maxLength={20} disabled={current} value={node.name} onChange={(event) => onChange({ name: event.target.value })} />
      </Field>
      <Field label="由哪一方">
        <Choices
          disabled={current}
          value={node.places}
          onChange={(places) => onChange({ places: (places ?? ['own']) as FlowNode['places'] })}
          options={setting.places.map(({ key, name }) => ({ value: key, label: name }))}
        />
      </Field>
      {isNamedOnly(node) ? (
        <p className="zg-2">由事项本身指定，不另选审批人；未指定时转管理员</p>
      ) : (
        <>
          <Field label="审批人">
            <Choice
              disabled={current}
              clear={false}
              value={node.by.kind}
              onChange={(kind) => onChange({ by: emptyApprover((kind ?? 'admin') as Approver['kind'], setting) })}
              options={kindOptions}
            />
          </Field>
          <WhichApprover node={node} setting={setting} current={current} onChange={onChange} />
        </>
      )}
      <Field label="方式">
        <Segmented block disabled={current} value={node.mode} options={modeOptions} onChange={(mode) => onChange({ mode })} />
      </Field>
      <Field label="时限（休息日不计）">
        <NumberInput
          unit="小时"
          min={1}
          max={720}
          precision={0}
          value={node.hours}
          onChange={(hours) => onChange({ hours: hours ?? null })}
        />
      </Field>
      {node.hours !== null && (
        <Field label="超时">
          <Segmented block value={node.late} options={lateOptions} onChange={(late) => onChange({ late })} />
        </Field>
      )}
      {node.hours !== null && node.late === 'hand' && (
        <Field label="转给">
          <Choice value={node.handTo} onChange={(handTo) => onChange({ handTo: handTo ?? null })} options={people} />
        </Field>
      )}
      <Field label="抄送">
        <Choices value={node.copyTo} onChange={(copyTo) => onChange({ copyTo: copyTo ?? [] })} options={people} />
      </Field>
      <FlowConditions facts={setting.facts} when={node.when} disabled={current} onChange={(when) => onChange({ when })} />
      <span className="wide">
        {!first && (
          <Checkbox disabled={current} checked={node.beside} onChange={(event) => onChange({ beside: event.target.checked })}>
            与上一步同时进行
          </Checkbox>
        )}
        <Checkbox checked={node.mayTransfer} onChange={(event) => onChange({ mayTransfer: event.target.checked })}>
          可转办
        </Checkbox>
        <Checkbox disabled={current} checked={node.sign} onChange={(event) => onChange({ sign: event.target.checked })}>
          须手写签名
        </Checkbox>
        <Checkbox disabled={current} checked={node.locked} onChange={(event) => onChange({ locked: event.target.checked })}>
          锁定：下级不能去掉
        </Checkbox>
      </span>
    </div>
  )
}

function emptyApprover(kind: Approver['kind'], setting: Setting): Approver {
  switch (kind) {
    case 'code':
      return { kind, code: setting.codes[0]?.key ?? '' }
    case 'role':
      return { kind, roleId: setting.roles[0]?.id ?? '' }
    case 'users':
      return { kind, userIds: setting.people[0] ? [setting.people[0].id] : [] }
    case 'post':
      return { kind, post: setting.posts[0] ?? '负责人' }
    default:
      return { kind }
  }
}

function WhichApprover({ node: { by }, setting, current, onChange }: Pick<Props, 'node' | 'setting' | 'onChange'> & { current: boolean }) {
  const options = (of: readonly { key: string; name: string }[]) => of.map((o) => ({ value: o.key, label: o.name }))
  switch (by.kind) {
    case 'code':
      return (
        <Field label="权限">
          <Choice
            disabled={current}
            clear={false}
            value={by.code}
            onChange={(code) => onChange({ by: { ...by, code: code ?? by.code } })}
            options={options(setting.codes)}
          />
        </Field>
      )
    case 'role':
      return (
        <Field label="角色">
          <Choice
            disabled={current}
            clear={false}
            value={by.roleId}
            onChange={(roleId) => onChange({ by: { ...by, roleId: roleId ?? by.roleId } })}
            options={setting.roles.map((r) => ({ value: r.id, label: `${groupWords[r.groupsType] ?? ''} ${r.name}` }))}
          />
        </Field>
      )
    case 'users':
      return (
        <Field label="人员">
          <Choices
            disabled={current}
            value={by.userIds}
            onChange={(userIds) => onChange({ by: { ...by, userIds: userIds ?? [] } })}
            options={setting.people.map((p) => ({ value: p.id, label: p.name }))}
          />
        </Field>
      )
    case 'post':
      return (
        <Field label="岗位">
          <Input
            maxLength={30}
            disabled={current}
            value={by.post}
            onChange={(event) => onChange({ by: { ...by, post: event.target.value } })}
          />
        </Field>
      )
    default:
      return null
  }
}
const groupWords: Readonly<Record<number, string>> = { 0: '平台', 1: '监管', 2: '企业', 3: '项目' }
