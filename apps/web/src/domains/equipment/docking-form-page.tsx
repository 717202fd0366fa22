import { dockingType } from '@zhugong/contract/equipment/codes'
import { createDocking, type DockingMapping, getDocking, tryDocking, updateDocking } from '@zhugong/contract/equipment/docking-endpoints'
import { enables, isOn } from '@zhugong/contract/kit/enable'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { getFamily, listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { type BodyOf, DependentFields, Field, FieldGroup, useFieldValue, useFormInstance } from '#kit/form.tsx'
import { time } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { initialOf, MakeOrChange } from '#kit/make-or-change.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { Copyable } from './copyable.tsx'
import { dockingAuthOptions, dockingTypeOptions } from './docking-words.tsx'
import { ModelChoice } from './library-parts.tsx'
import './equipment.css'

const emptyMapping: DockingMapping = { list: '', externalId: 'id', name: '', project: '', model: '', sn: '', time: '', values: [] }

/** Create a docking with another platform, or change one (`?id=`). */
export default function DockingFormPage() {
  const id = usePageQuery().get('id') ?? ''
  const page = usePage()
  const [key, setKey] = useState<{ id: string; pushSecret: string }>()
  const [enable, setEnable] = useState(false)
  const known = useCall(getDocking, { params: { id } }, { enabled: id !== '', staleMs: 0 })
  const done = (made: { id: string; pushSecret?: string | undefined }) =>
    made.pushSecret ? setKey({ id: made.id, pushSecret: made.pushSecret }) : page.leave(hrefOf('/gatewayOther/details', { id: made.id }))
  const docking = known.data
  if (key) return <PushKey {...key} />
  const fields = <Fields docking={docking} />
  const andEnable = (
    <Button
      style={{ height: 32 }}
      type={enable ? 'primary' : 'default'}
      ghost={enable}
      aria-pressed={enable}
      onClick={() => setEnable((now) => !now)}
    >
      {enable ? '✓ 保存并启用' : '保存并启用'}
    </Button>
  )
  return (
    <MakeOrChange
      id={id}
      make={{
        title: '新增第三方对接',
        call: createDocking,
        success: '对接已新增',
        initial: {
          connType: dockingType.push,
          httpMethod: 'GET',
          authKind: 'none',
          scheduleMinutes: 5,
          mapping: emptyMapping,
          modelMatch: {},
          projectMatch: {},
        },
        input: (body) => ({ body: { ...body, enable: enable ? enables.on : enables.off } }),
        onDone: done,
      }}
      change={{
        title: '编辑第三方对接',
        remark: docking?.name,
        call: updateDocking,
        initial: initialOf(updateDocking, docking && { ...docking, enable: undefined }),
        input: (body) => ({ params: { id }, body: { ...body, enable: enable ? enables.on : undefined } }),
        onDone: done,
      }}
      barActions={!docking || !isOn(docking.enable) ? andEnable : undefined}
    >
      {fields}
    </MakeOrChange>
  )
}

function PushKey({ id, pushSecret }: { id: string; pushSecret: string }) {
  const page = usePage()
  const [copied, setCopied] = useState(false)
  useUnsaved(!copied, page.cacheKey, '推送密钥（尚未复制）')
  return (
    <PageShell title="推送密钥">
      <div style={{ display: 'grid', gap: 12, maxWidth: 920 }}>
        <Notice tone="warning">密钥只显示这一次，请交给对方平台；遗失后只能更换，更换后旧密钥立即失效。</Notice>
        <Card title="推送密钥">
          <Copyable text={pushSecret} label="复制密钥" onCopied={() => setCopied(true)} />
        </Card>
        <Card title="对方怎么推送">
          <PushGuide id={id} />
        </Card>
        <div>
          <Button type="primary" size="large" disabled={!copied} onClick={() => page.leave(hrefOf('/gatewayOther/details', { id }))}>
            已保存，去详情
          </Button>
        </div>
      </div>
    </PageShell>
  )
}

/** Where and how the other platform sends. */
export function PushGuide({ id }: { id: string }) {
  return (
    <dl className="eq-steps">
      <div>
        <dt>地址（POST，JSON，最大 1 MiB）</dt>
        <dd>
          <Copyable text={`${location.origin}/api/v1/open/dock/${id}`} />
        </dd>
      </div>
      <div>
        <dt>请求头 X-Timestamp</dt>
        <dd>毫秒时间戳，与平台相差不超过 5 分钟</dd>
      </div>
      <div>
        <dt>请求头 X-Sign</dt>
        <dd>以密钥对“时间戳 + 换行 + 请求体的 SHA-256（十六进制小写）”求 HMAC-SHA256，十六进制小写</dd>
      </div>
      <div>
        <dt>结果</dt>
        <dd>返回接收、重复与拒绝的条数，拒绝的逐条说明原因；同一条重复推送只存一次</dd>
      </div>
    </dl>
  )
}

function Fields({ docking }: { docking: OutputFor<typeof getDocking> | undefined }) {
  const type = useFieldValue<string>('connType')
  const auth = useFieldValue<string>('authKind')
  return (
    <>
      <FieldGroup title="基本">
        <Field name="name" label="对接名称" required>
          <Input placeholder="如 楚电云电表平台" />
        </Field>
        <Field name="vendor" label="厂商" required>
          <Input />
        </Field>
        <Field name="connType" label="接入方式" required>
          <Choice clear={false} options={dockingTypeOptions} />
        </Field>
        <Field name="remark" label="备注" span="all">
          <LongText />
        </Field>
      </FieldGroup>
      {type === dockingType.pull ? (
        <>
          <FieldGroup title="鉴权" remark={docking?.hasSecret ? '密钥已保存，不再显示；不填则不变' : undefined}>
            <Field name="authKind" label="鉴权方式">
              <Choice clear={false} options={dockingAuthOptions} />
            </Field>
            {(auth === 'header' || auth === 'query') && (
              <Field name="authName" label={auth === 'header' ? '请求头名' : '参数名'}>
                <Input placeholder={auth === 'header' ? 'authorization' : 'token'} />
              </Field>
            )}
            {auth !== 'none' && (
              <Field name="authSecret" label="密钥">
                <Input.Password autoComplete="new-password" />
              </Field>
            )}
            <Field name="tokenExpire" label="凭证到期">
              <DayInput />
            </Field>
          </FieldGroup>
          <FieldGroup title="接口">
            <Field name="endpoint" label="接口地址" span={2} help="不允许内网与本机地址，除非部署放行">
              <Input placeholder="https://" />
            </Field>
            <Field name="httpMethod" label="方法">
              <Choice
                clear={false}
                options={[
                  { value: 'GET', label: 'GET' },
                  { value: 'POST', label: 'POST' },
                ]}
              />
            </Field>
            <Field name="scheduleMinutes" label="拉取间隔">
              <NumberInput unit="分钟" min={1} max={1440} precision={0} />
            </Field>
          </FieldGroup>
        </>
      ) : (
        <FieldGroup title="推送">
          <DependentFields why={docking ? '对方按下面的方式推送' : '保存后给出推送地址与密钥，密钥只显示一次'}>
            <div className="zg-span-all" style={{ marginBottom: 12 }}>
              {docking && <PushGuide id={docking.id} />}
            </div>
          </DependentFields>
        </FieldGroup>
      )}
      <FieldGroup title="样例" remark="粘贴对方返回或推送的 JSON；解析不存储任何数据">
        <Field name="sample" span="all">
          <LongText rows={6} />
        </Field>
        <Trial docking={docking} />
      </FieldGroup>
      <FieldGroup title="字段映射" remark="在样例中解析后，点字段即可填入">
        <Field name="mapping" span="all">
          <MappingInput />
        </Field>
      </FieldGroup>
      <FieldGroup title="型号映射" remark="对方的型号名 → 平台型号">
        <Field name="modelMatch" span="all">
          <Matches kind="model" open={docking?.openModels ?? []} />
        </Field>
      </FieldGroup>
      <FieldGroup title="项目映射" remark="对方的项目名 → 平台项目">
        <Field name="projectMatch" span="all">
          <Matches kind="project" open={docking?.openProjects ?? []} />
        </Field>
      </FieldGroup>
    </>
  )
}

const parts = [
  { key: 'list', label: '列表所在', hint: '如 data.list，返回本身就是列表则留空' },
  { key: 'externalId', label: '设备标识', hint: '如 deviceId' },
  { key: 'name', label: '设备名称', hint: '' },
  { key: 'sn', label: '序列号', hint: '' },
  { key: 'project', label: '项目', hint: '' },
  { key: 'model', label: '型号', hint: '' },
  { key: 'time', label: '时间', hint: '不填则以接收时间为准' },
] as const

/** All metrics of the families this docking may carry, once each. */
function useMetrics(family: string) {
  const { data } = useCall(getFamily, { params: { key: family } }, { enabled: family !== '', staleMs: 3_600_000, quiet: true })
  return (data?.metrics ?? []).filter((m) => m.type === 'number' || m.type === 'integer')
}

function MappingInput({ value, onChange }: Control<DockingMapping>) {
  const mapping = value ?? emptyMapping
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const [family, setFamily] = useState('electricMeter')
  const metrics = useMetrics(family)
  const set = (change: Partial<DockingMapping>) => onChange?.({ ...mapping, ...change })
  const setValue = (index: number, change: Partial<DockingMapping['values'][number]>) =>
    set({ values: mapping.values.map((one, i) => (i === index ? { ...one, ...change } : one)) })
  return (
    <>
      <div className="eq-mapping">
        {parts.map(({ key, label, hint }) => (
          <div key={key}>
            <span className="zg-2">{label}</span>
            <Input
              aria-label={label}
              maxLength={100}
              placeholder={hint}
              value={mapping[key]}
              onChange={(event) => set({ [key]: event.target.value.trim() })}
            />
          </div>
        ))}
      </div>
      <div style={{ display: 'flex', gap: 8, alignItems: 'center', margin: '12px 0 8px' }}>
        <b>数值</b>
        <Select
          aria-label="设备类别"
          style={{ width: 160 }}
          value={family}
          options={(families.data?.list ?? []).map((one) => ({ value: one.key, label: one.name }))}
          onChange={setFamily}
        />
        <Button type="dashed" onClick={() => set({ values: [...mapping.values, { from: '', metric: '', factor: 1 }] })}>
          添加一项
        </Button>
      </div>
      {mapping.values.map((row, index) => (
        <div key={index} style={{ display: 'flex', gap: 8, marginBottom: 8, alignItems: 'center' }}>
          <Input
            aria-label="来源字段"
            placeholder="来源字段"
            style={{ width: 200 }}
            maxLength={100}
            value={row.from}
            onChange={(event) => setValue(index, { from: event.target.value.trim() })}
          />
          <span aria-hidden="true">→</span>
          <Select
            aria-label="平台指标"
            style={{ width: 220 }}
            value={row.metric || null}
            options={[
              ...(row.metric && !metrics.some((m) => m.key === row.metric) ? [{ value: row.metric, label: row.metric }] : []),
              ...metrics.map((m) => ({ value: m.key, label: `${m.label} ${m.unit}` })),
            ]}
            onChange={(metric) => setValue(index, { metric })}
          />
          <span>×</span>
          <InputNumber
            aria-label="系数"
            controls={false}
            value={row.factor}
            onChange={(factor) => setValue(index, { factor: factor ?? 1 })}
          />
          <Button type="text" danger onClick={() => set({ values: mapping.values.filter((_, i) => i !== index) })}>
            删除
          </Button>
        </div>
      ))}
    </>
  )
}

function Matches({
  value,
  onChange,
  kind,
  open,
}: Control<Record<string, string>> & { kind: 'model' | 'project'; open: readonly string[] }) {
  const [name, setName] = useState('')
  const projects = useCall(pickProjects, { query: { size: 1000 } }, { enabled: kind === 'project', staleMs: 300_000, quiet: true })
  const rows = value ?? {}
  const names = [...new Set([...Object.keys(rows), ...open])]
  const set = (theirs: string, ours: string | undefined) => {
    const { [theirs]: _old, ...rest } = rows
    onChange?.(ours ? { ...rest, [theirs]: ours } : rest)
  }
  return (
    <>
      {names.map((theirs) => (
        <div
          key={theirs}
          style={{ display: 'grid', gridTemplateColumns: '200px 20px 320px', gap: 8, marginBottom: 8, alignItems: 'center' }}
        >
          <span className={rows[theirs] ? '' : 'tone-warning'} title={theirs}>
            {theirs}
          </span>
          <span aria-hidden="true">→</span>
          {kind === 'model' ? (
            <ModelChoice aria-label={`${theirs} 对应的型号`} value={rows[theirs] ?? null} onChange={(ours) => set(theirs, ours)} />
          ) : (
            <Choice
              aria-label={`${theirs} 对应的项目`}
              value={rows[theirs] ?? null}
              loading={projects.isPending}
              options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
              onChange={(ours) => set(theirs, ours)}
            />
          )}
        </div>
      ))}
      <div style={{ display: 'flex', gap: 8 }}>
        <Input
          aria-label="对方的名称"
          placeholder="对方的名称"
          style={{ width: 200 }}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {kind === 'model' ? (
          <div style={{ width: 348 }}>
            <ModelChoice
              aria-label="平台型号"
              value={null}
              disabled={name.trim() === ''}
              onChange={(ours) => {
                set(name.trim(), ours)
                setName('')
              }}
            />
          </div>
        ) : (
          <div style={{ width: 348 }}>
            <Choice
              aria-label="平台项目"
              value={null}
              disabled={name.trim() === ''}
              options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
              onChange={(ours) => {
                set(name.trim(), ours)
                setName('')
              }}
            />
          </div>
        )}
      </div>
    </>
  )
}

/** How the other system is reached, as the form stands; what is empty is not sent. */
const accessIn = ({ endpoint, httpMethod, authKind, authName, authSecret }: Partial<BodyOf<typeof tryDocking>>) => ({
  endpoint: endpoint || undefined,
  httpMethod: httpMethod || undefined,
  authKind: authKind || undefined,
  authName: authName || undefined,
  authSecret: authSecret || undefined,
})

/** A sample answer, or one fetched now, through the mapping as it stands; nothing is stored. A field clicked goes where it is wanted. */
function Trial({ docking }: { docking: OutputFor<typeof getDocking> | undefined }) {
  const form = useFormInstance()
  const sample = useFieldValue<string>('sample') ?? ''
  const type = useFieldValue<string>('connType')
  const endpoint = useFieldValue<string>('endpoint')
  const act = useAct(tryDocking, { success: false })
  const [trial, setTrial] = useState<OutputFor<typeof tryDocking>>()
  const [target, setTarget] = useState<string>('externalId')
  const run = async (fetchNow: boolean) => {
    const values = form.getFieldsValue(true) as Partial<BodyOf<typeof tryDocking>>
    const mapping = { ...emptyMapping, ...values.mapping }
    const done = await act.run({
      body: {
        mapping: { ...mapping, values: mapping.values.filter((one) => one.from && one.metric) },
        id: docking?.id,
        ...(fetchNow ? accessIn(values) : { sample }),
      },
    })
    if (!done) return
    setTrial(done.data)
    if (done.data.sample) form.setFieldValue('sample', done.data.sample)
  }
  const take = (path: string) => {
    const mapping = { ...emptyMapping, ...(form.getFieldValue('mapping') as DockingMapping | undefined) }
    form.setFieldValue(
      'mapping',
      target === 'values'
        ? { ...mapping, values: [...mapping.values, { from: path, metric: '', factor: 1 }] }
        : { ...mapping, [target]: path },
    )
  }
  return (
    <div className="zg-span-all" style={{ marginBottom: 12 }}>
      <div style={{ display: 'flex', gap: 8, marginBottom: 8 }}>
        <Button disabled={sample.trim() === ''} loading={act.running} onClick={() => void run(false)}>
          解析样例
        </Button>
        {type === dockingType.pull && (
          <Button disabled={!endpoint} loading={act.running} onClick={() => void run(true)}>
            试拉取
          </Button>
        )}
      </div>
      {trial && <Notice tone={trial.ok ? 'fine' : 'danger'}>{trial.message}</Notice>}
      {trial && trial.fields.length > 0 && (
        <div style={{ margin: '8px 0' }}>
          点字段填入{' '}
          <Select
            aria-label="填入"
            size="small"
            style={{ width: 120 }}
            value={target}
            options={[
              ...parts.filter((one) => one.key !== 'list').map((one) => ({ value: one.key as string, label: one.label })),
              { value: 'values', label: '数值' },
            ]}
            onChange={setTarget}
          />
          <div className="eq-chips">
            {trial.fields.map((one) => (
              <button key={one.path} type="button" title={one.example} onClick={() => take(one.path)}>
                <b>{one.path}</b> {one.example}
              </button>
            ))}
          </div>
        </div>
      )}
      {trial && trial.rows.length > 0 && (
        <table className="eq-table">
          <thead>
            <tr>
              <th>设备标识</th>
              <th>名称</th>
              <th>项目</th>
              <th>型号</th>
              <th>时间</th>
              <th>数值</th>
              <th>问题</th>
            </tr>
          </thead>
          <tbody>
            {trial.rows.map((row, index) => (
              <tr key={index}>
                <td>{row.externalId || '--'}</td>
                <td>{row.name ?? '--'}</td>
                <td>{row.project ?? '--'}</td>
                <td>{row.model ?? '--'}</td>
                <td>{time(row.time)}</td>
                <td>
                  {Object.entries(row.values)
                    .map(([metric, value]) => `${metric} ${value}`)
                    .join('，') || '--'}
                </td>
                <td className="tone-danger">{row.errors.join('；')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
