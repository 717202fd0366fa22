import { protocolNames, registerTypes } from '@zhugong/contract/equipment/codes'
import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { createModel, getModel, updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { getFamily } from '@zhugong/contract/telemetry/endpoints'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Checkbox, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { Field, FieldGroup, ReadOnly, useFieldValue } from '#kit/form.tsx'
import { Choice, Choices, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { MakeOrChange } from '#kit/make-or-change.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { OnePicture } from './brand-form-page.tsx'
import { BrandChoice, FamilyChoice, type Held } from './library-parts.tsx'
import './equipment.css'

const protocolOptions = Object.entries(protocolNames).map(([value, label]) => ({ value, label }))
const typeOptions = Object.entries(registerTypes).map(([value, label]) => ({ value, label }))

/** Describe once what a model measures, so that its devices need no further work (`?id=`, or `?versionOf=` for the next version). */
export default function ModelFormPage() {
  const query = usePageQuery()
  const id = query.get('id') ?? ''
  const versionOf = query.get('versionOf') ?? ''
  const source = id || versionOf
  const go = useGo()
  const page = usePage()
  const known = useCall(getModel, { params: { id: source } }, { enabled: source !== '', staleMs: 0 })
  const model = known.data
  const initial = model
    ? {
        brandId: model.brandId,
        family: model.family,
        name: model.name,
        protocols: model.protocols,
        metrics: model.metrics.map(({ key, precision, min, max, alias }) => ({ key, precision, min, max, alias })),
        registers: model.registers,
        alarmCodes: model.alarmCodes.map(({ code, alarmKey }) => ({ code, alarmKey })),
        params: model.params,
        photo: model.photo ?? undefined,
        docs: model.docs,
        remark: model.remark ?? '',
      }
    : { brandId: query.get('brandId') ?? undefined, protocols: ['mqtt'], metrics: [], registers: [], alarmCodes: [], params: {} }
  const fields = (
    <Fields locked={source !== ''} familyName={model?.familyName} brand={model && { id: model.brandId, name: model.brandName }} />
  )
  return (
    <MakeOrChange
      id={id}
      make={{
        title: versionOf ? '新版本' : '新增型号',
        remark: model && `由 ${model.brandName} ${model.name} V${model.modelVersion} 复制`,
        call: createModel,
        initial: versionOf && !model ? undefined : { ...initial, ...(versionOf ? { versionOf } : {}) },
        success: ({ modelVersion }) => `已保存 V${modelVersion}`,
        onDone: (made) => page.leave(hrefOf('/model/details', { id: made.id })),
      }}
      change={{
        title: '编辑型号',
        remark: model && `${model.brandName} ${model.name} V${model.modelVersion}，${model.devices} 台设备在用`,
        call: updateModel,
        initial: model && { ...initial, version: model.version },
        input: (body) => ({ params: { id }, body }),
        onDone: () => page.leave(hrefOf('/model/details', { id })),
      }}
      aside={<TrialCard />}
      barActions={
        id && (
          <Button style={{ height: 32 }} onClick={() => go('/model/edit', { versionOf: id }, { replace: true })}>
            改为新版本
          </Button>
        )
      }
    >
      {fields}
    </MakeOrChange>
  )
}

function Fields({ locked, familyName, brand }: { locked: boolean; familyName: string | undefined; brand: Held | undefined }) {
  const family = useFieldValue<string>('family')
  const kind = useCall(getFamily, { params: { key: family ?? '' } }, { enabled: Boolean(family), staleMs: 3_600_000, quiet: true })
  return (
    <>
      <FieldGroup title="基本">
        <Field name="brandId" label="品牌" required>
          <BrandChoice known={brand} />
        </Field>
        <Field name="family" label="设备类别" required>
          {locked ? <ReadOnlyFamily name={familyName} /> : <FamilyChoice />}
        </Field>
        <Field name="name" label="型号名称" required>
          <Input placeholder="铭牌上的型号" />
        </Field>
        <Field name="protocols" label="协议">
          <Choices options={protocolOptions} />
        </Field>
        <Field name="photo" label="照片">
          <OnePicture />
        </Field>
      </FieldGroup>
      <FieldGroup title="指标" remark="不勾选任何一项表示全部；量程只能比类别的窄">
        <Field name="metrics" span="all">
          <MetricTable family={kind.data} />
        </Field>
      </FieldGroup>
      <FieldGroup title="寄存器" remark="轮询网关按此读取，保存即生效">
        <Field name="registers" span="all">
          <RegisterTable family={kind.data} />
        </Field>
      </FieldGroup>
      <FieldGroup title="报警码">
        <Field name="alarmCodes" span="all">
          <AlarmCodes family={kind.data} />
        </Field>
      </FieldGroup>
      {kind.data && kind.data.params.length > 0 && (
        <FieldGroup title="默认参数" remark="登记设备时自动带入，可再修改">
          {kind.data.params.map((one) => (
            <Field key={one.key} name={['params', one.key]} label={one.label}>
              {one.values ? (
                <Choice options={Object.entries(one.values).map(([value, label]) => ({ value, label }))} />
              ) : one.type === 'number' || one.type === 'integer' ? (
                <NumberInput unit={one.unit} min={one.min} max={one.max} />
              ) : (
                <Input maxLength={64} />
              )}
            </Field>
          ))}
        </FieldGroup>
      )}
      <FieldGroup title="文档">
        <Field name="docs" label="说明书与点表" span="all">
          <Upload max={10} accept="image/*,.pdf" maxMb={10} />
        </Field>
        <Field name="remark" label="备注" span="all">
          <LongText />
        </Field>
      </FieldGroup>
    </>
  )
}

const ReadOnlyFamily = ({ name }: Control<string> & { name: string | undefined }) => <ReadOnly value={name ?? ''} />

interface Metric {
  key: string
  precision?: number | null | undefined
  min?: number | null | undefined
  max?: number | null | undefined
  alias?: string | null | undefined
}

function MetricTable({ value, onChange, family }: Control<Metric[]> & { family: FamilyView | undefined }) {
  if (!family) return <p className="zg-2">先选择设备类别。</p>
  const rows = value ?? []
  const of = (key: string) => rows.find((one) => one.key === key)
  const set = (key: string, change: Partial<Metric>) => onChange?.(rows.map((one) => (one.key === key ? { ...one, ...change } : one)))
  return (
    <table className="eq-table">
      <thead>
        <tr>
          <th>指标</th>
          <th>单位</th>
          <th>下限</th>
          <th>上限</th>
          <th>小数位</th>
          <th>设备侧名称</th>
        </tr>
      </thead>
      <tbody>
        {family.metrics.map((metric) => {
          const row = of(metric.key)
          const numeric = metric.type === 'number' || metric.type === 'integer'
          return (
            <tr key={metric.key}>
              <td>
                <Checkbox
                  checked={row !== undefined}
                  onChange={(event) =>
                    onChange?.(event.target.checked ? [...rows, { key: metric.key }] : rows.filter((one) => one.key !== metric.key))
                  }
                >
                  {metric.label}
                </Checkbox>
              </td>
              <td className="zg-2">{metric.unit || '--'}</td>
              <td>
                {row && numeric && (
                  <InputNumber
                    aria-label={`${metric.label} 下限`}
                    controls={false}
                    placeholder={String(metric.min ?? '')}
                    value={row.min ?? null}
                    onChange={(min) => set(metric.key, { min })}
                  />
                )}
              </td>
              <td>
                {row && numeric && (
                  <InputNumber
                    aria-label={`${metric.label} 上限`}
                    controls={false}
                    placeholder={String(metric.max ?? '')}
                    value={row.max ?? null}
                    onChange={(max) => set(metric.key, { max })}
                  />
                )}
              </td>
              <td>
                {row && numeric && (
                  <InputNumber
                    aria-label={`${metric.label} 小数位`}
                    controls={false}
                    min={0}
                    max={6}
                    placeholder={String(metric.precision ?? '')}
                    value={row.precision ?? null}
                    onChange={(precision) => set(metric.key, { precision })}
                  />
                )}
              </td>
              <td>
                {row && (
                  <Input
                    aria-label={`${metric.label} 设备侧名称`}
                    maxLength={60}
                    value={row.alias ?? ''}
                    onChange={(event) => set(metric.key, { alias: event.target.value || null })}
                  />
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface Register {
  metric: string
  address?: number | null | undefined
  type: string
  scale: number
  unit?: string | null | undefined
  code?: string | null | undefined
}

function RegisterTable({ value, onChange, family }: Control<Register[]> & { family: FamilyView | undefined }) {
  if (!family) return <p className="zg-2">先选择设备类别。</p>
  const rows = value ?? []
  const set = (index: number, change: Partial<Register>) => onChange?.(rows.map((one, i) => (i === index ? { ...one, ...change } : one)))
  const metrics = family.metrics
    .filter((m) => m.type === 'number' || m.type === 'integer')
    .map((m) => ({ value: m.key, label: `${m.label} ${m.unit}` }))
  return (
    <>
      {rows.length > 0 && (
        <table className="eq-table">
          <thead>
            <tr>
              <th>指标</th>
              <th>类型</th>
              <th>地址 / 数据标识</th>
              <th>比例</th>
              <th aria-label="操作" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const byCode = row.type === 'dlt645' || row.type === 'cjt188'
              return (
                <tr key={index}>
                  <td>
                    <Select
                      aria-label="指标"
                      style={{ width: 180 }}
                      value={row.metric || null}
                      options={metrics}
                      onChange={(metric) => set(index, { metric })}
                    />
                  </td>
                  <td>
                    <Select
                      aria-label="类型"
                      style={{ width: 180 }}
                      value={row.type}
                      options={typeOptions}
                      onChange={(type) => set(index, { type })}
                    />
                  </td>
                  <td>
                    {byCode ? (
                      <Input
                        aria-label="数据标识"
                        maxLength={8}
                        value={row.code ?? ''}
                        onChange={(event) => set(index, { code: event.target.value })}
                      />
                    ) : (
                      <InputNumber
                        aria-label="寄存器地址"
                        controls={false}
                        min={0}
                        max={65535}
                        value={row.address ?? null}
                        onChange={(address) => set(index, { address })}
                      />
                    )}
                  </td>
                  <td>
                    <InputNumber
                      aria-label="比例"
                      controls={false}
                      value={row.scale}
                      onChange={(scale) => set(index, { scale: scale ?? 1 })}
                    />
                  </td>
                  <td>
                    <Button type="text" size="small" danger onClick={() => onChange?.(rows.filter((_, i) => i !== index))}>
                      删除
                    </Button>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <Button type="dashed" onClick={() => onChange?.([...rows, { metric: '', type: 'u16', scale: 1 }])}>
        添加一行
      </Button>
    </>
  )
}

function AlarmCodes({ value, onChange, family }: Control<{ code: string; alarmKey: string }[]> & { family: FamilyView | undefined }) {
  if (!family) return <p className="zg-2">先选择设备类别。</p>
  const rows = value ?? []
  const set = (index: number, change: Partial<{ code: string; alarmKey: string }>) =>
    onChange?.(rows.map((one, i) => (i === index ? { ...one, ...change } : one)))
  const alarms = family.alarms.map((one) => ({ value: one.key, label: one.label }))
  return (
    <>
      {rows.map((row, index) => (
        <div key={index} style={{ display: 'flex', gap: 8, marginBottom: 8 }}>
          <Input
            aria-label="设备报警码"
            placeholder="设备报警码"
            style={{ width: 160 }}
            maxLength={40}
            value={row.code}
            onChange={(event) => set(index, { code: event.target.value })}
          />
          <Select
            aria-label="告警"
            style={{ width: 240 }}
            value={row.alarmKey || null}
            options={alarms}
            onChange={(alarmKey) => set(index, { alarmKey })}
          />
          <Button type="text" danger onClick={() => onChange?.(rows.filter((_, i) => i !== index))}>
            删除
          </Button>
        </div>
      ))}
      <Button type="dashed" onClick={() => onChange?.([...rows, { code: '', alarmKey: '' }])}>
        添加一行
      </Button>
    </>
  )
}

/** Bytes pasted, values seen; nothing is stored. */
function TrialCard() {
  const [frame, setFrame] = useState('')
  const [protocol, setProtocol] = useState('mqtt')
  const act = useAct(verifyDevice, { success: false })
  const [trial, setTrial] = useState<{
    ok: boolean
    error: string | null
    values: Record<string, unknown> | null
    fields: Record<string, unknown>
  }>()
  const run = async () => {
    const done = await act.run({ body: { frame, protocol } })
    if (done) setTrial(done.data.decoded as typeof trial)
  }
  return (
    <Card title="试解析" remark="不存储">
      <Select
        aria-label="协议"
        style={{ width: '100%', marginBottom: 8 }}
        value={protocol}
        options={protocolOptions.filter((one) => ['mqtt', 'hj212', 'jt808', 'dlt645', 'cjt188', 'modbus'].includes(one.value))}
        onChange={setProtocol}
      />
      <Input.TextArea
        aria-label="报文"
        rows={5}
        maxLength={8192}
        placeholder="粘贴十六进制或文本报文"
        value={frame}
        onChange={(event) => setFrame(event.target.value)}
      />
      <Button style={{ margin: '8px 0' }} disabled={frame.trim() === ''} loading={act.running} onClick={() => void run()}>
        解析
      </Button>
      {trial && (trial.ok ? <Notice tone="fine">可以解析</Notice> : <Notice tone="danger">{trial.error ?? '无法解析'}</Notice>)}
      {trial && <pre className="eq-pre">{JSON.stringify(trial.values ?? trial.fields, null, 2)}</pre>}
    </Card>
  )
}
