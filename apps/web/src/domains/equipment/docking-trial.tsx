import { dockingType } from '@zhugong/contract/equipment/codes'
import {
  createDocking,
  type DockingMapping,
  type getDocking,
  tryDocking,
  updateDocking,
} from '@zhugong/contract/equipment/docking-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { emptyMapping, parts } from './docking-mapping.tsx'

const { useValue } = formOf(createDocking, updateDocking)

/** Access settings from the form; empty ones are left out. */
const accessIn = ({ endpoint, httpMethod, authKind, authName, authSecret }: Partial<BodyOf<typeof tryDocking>>) => ({
  endpoint: endpoint || undefined,
  httpMethod: httpMethod || undefined,
  authKind: authKind || undefined,
  authName: authName || undefined,
  authSecret: authSecret || undefined,
})

/** Runs a sample answer, or one fetched now, through the mapping in the form; stores nothing. Clicking a field copies it to the mapping. */
export function Trial({ docking }: { docking: OutputFor<typeof getDocking> | undefined }) {
  const form = useFormInstance()
  const sample = useValue('sample') ?? ''
  const type = useValue('connType')
  const endpoint = useValue('endpoint')
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
    <div className="zg-span-all zg-below-12">
      <div className="zg-row zg-below">
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
        <div className="zg-apart">
          点字段填入{' '}
          <Select
            aria-label="填入"
            size="small"
            className="zg-w-120"
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
