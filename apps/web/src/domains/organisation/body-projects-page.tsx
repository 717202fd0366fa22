import { PlusOutlined } from '@ant-design/icons'
import { type BodyProject, bodyProjectList, bodyProjects, changeBodyScope, scopeSources } from '@zhugong/contract/organisation/part-lists'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { LongText } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { usePageParam } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { stateTones } from './project-words.ts'

const { Field } = formOf(changeBodyScope)

/** Projects in the body's jurisdiction, with the rule that includes each. */
export default function BodyProjectsPage() {
  const requested = usePageParam('govCode')
  const scope = requested ? { govCode: requested } : undefined
  const dicts = useDicts('projectState')
  const list = useListPage(bodyProjectList, { scope, defaultSort: 'name', inUrl: false })
  const figures = useCall(bodyProjects, { query: { ...scope, size: 1 } }, { quiet: true })
  const act = useAct(changeBodyScope, { success: '已调整，该机构下次访问即生效', onDone: list.refresh })
  const [adding, setAdding] = useState(false)
  const f = figures.data
  const govCode = requested
  const change = async (row: BodyProject, action: 'remove' | 'restore') => {
    const reason = await askReason(`${action === 'remove' ? '移出' : '恢复'} ${row.name}`, '原因')
    if (reason !== undefined) await act.run({ body: { govCode, projectCode: row.projectCode, action, reason } })
  }
  const columns: ColumnOf<typeof bodyProjectList>[] = [
    { key: 'name', width: 220, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'areaCode', width: 120, sort: true, filter: 'area-cascader', value: (r) => r.areaName },
    {
      key: 'prjStatus',
      width: 96,
      sort: true,
      filter: 'multi',
      options: dicts.options('projectState'),
      value: (r) => (
        <Tag tone={stateTones[r.prjStatus] ?? 'neutral'} icon={false}>
          {r.prjStatusName}
        </Tag>
      ),
    },
    {
      key: 'source',
      width: 110,
      sort: true,
      filter: 'multi',
      options: Object.entries(scopeSources).map(([value, label]) => ({ value, label })),
      value: (r) => (
        <Tag tone={r.source === 'removed' ? 'danger' : r.source === 'auto' ? 'neutral' : 'running'} icon={false}>
          {r.sourceName}
        </Tag>
      ),
    },
    { key: 'superviseOrgName', width: 180, value: (r) => r.superviseOrgName ?? <span className="tone-warning">未指定</span> },
    { key: 'superviseNo', width: 150, value: (r) => r.superviseNo ?? <span className="tone-warning">未登记</span> },
    { key: 'otherGov', width: 160, value: (r) => r.otherGov },
    { key: 'since', width: 110, sort: true, value: (r) => r.since },
    { key: 'reason', width: 180, value: (r) => r.reason },
  ]
  return (
    <ListShell
      title="项目列表"
      remark="这里确定管辖范围，办理业务请到“监管项目”"
      strip={
        <FigureStrip
          loading={!f}
          items={[
            { label: '管辖项目', value: f?.figures.reach, unit: '个' },
            { label: '手工增减', value: f?.figures.byHand, unit: '个' },
            { label: '多机构监管', value: f?.figures.shared, unit: '个' },
            { label: '无监督登记号', value: f?.figures.unnumbered, unit: '个', tone: f?.figures.unnumbered ? 'warning' : undefined },
          ]}
        />
      }
      actions={
        f?.mayChange && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            增加项目
          </Button>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="projectCode"
        rowClass={(r) => (r.source === 'removed' ? 'zg-2' : '')}
        actions={(r) => [
          f?.mayChange &&
            r.source !== 'removed' &&
            r.source !== 'above' && { label: '移出', danger: true, onClick: () => change(r, 'remove') },
          f?.mayChange && r.source === 'removed' && { label: '恢复', onClick: () => change(r, 'restore') },
        ]}
      />
      {adding && <AddDrawer govCode={govCode} onClose={() => setAdding(false)} onDone={list.refresh} />}
    </ListShell>
  )
}

function AddDrawer({ govCode, onClose, onDone }: { govCode: string; onClose: () => void; onDone: () => void }) {
  const act = useAct(changeBodyScope, { success: '已增加', onDone })
  return (
    <FormDrawer open narrow width={440} act={act} title="增加管辖项目" initial={{ govCode, action: 'add' }} onClose={onClose}>
      <Field name="projectCode" label="项目编码" help="18 位完整编码；区划内的项目自动纳入，不必增加">
        <Input maxLength={30} />
      </Field>
      <Field name="reason" label="原因">
        <LongText rows={2} />
      </Field>
    </FormDrawer>
  )
}
