import { type CampaignDetail, changeCampaign, listPool, poolList } from '@zhugong/contract/campaigns/calls'
import { Button } from 'antd'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, RiskBadge } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { anywhere, keyOf } from './campaign-acts.ts'

/** The projects that can come in now, and how many cannot, with the reason. */
export function Pool({ file }: { file: CampaignDetail }) {
  const params = { id: file.id }
  const list = useListPage(poolList, { scope: anywhere, params, inUrl: false, defaultSort: 'projectName' })
  const { data } = useCall(listPool, { params, query: { ...anywhere, size: 20 } }, { quiet: true })
  const counts = data?.counts
  const act = useAct(changeCampaign, { success: '已加入' })
  const add = async (projects: string[], done: () => void) => {
    const reason = await askReason(`指定加入 ${projects.length} 个项目`, '指定原因（至少 5 个字，公开保留）')
    if (!reason) return
    const sent = await act.run({ ...keyOf(file), body: { action: 'addProjects', version: file.version, projects, reason } })
    if (sent) done()
  }
  const left = counts?.leftOut.reduce((sum, one) => sum + one.count, 0) ?? 0
  return (
    <Card
      title="候选项目"
      remark={
        counts &&
        `${counts.pool} 个可抽取${left > 0 ? `；未入池 ${left} 个：${counts.leftOut.map((one) => `${one.reason} ${one.count}`).join('，')}` : ''}`
      }
      flush
    >
      {counts && counts.quotas.length > 0 && (
        <ul className="campaign-quotas campaign-quotas-row">
          {counts.quotas.map((one) => (
            <li key={one.label} className={one.candidates < one.seats ? 'tone-danger' : undefined}>
              {one.label}：候选 <b className="zg-num">{one.candidates}</b>，名额 {one.seats}
            </li>
          ))}
        </ul>
      )}
      <div className="campaign-pool">
        <DataTable
          list={list}
          name="campaign-pool"
          columns={useColumns()}
          rowKey="projectCode"
          unit="个"
          search={{ key: 'projectName', placeholder: '项目名称' }}
          emptyHint="没有可加入的在建项目"
          selection={{
            unit: '个',
            actions: (rows, clear) => (
              <Button
                size="small"
                loading={act.running}
                onClick={() =>
                  void add(
                    rows.map((one) => one.projectCode),
                    clear,
                  )
                }
              >
                指定加入
              </Button>
            ),
          }}
        />
      </div>
    </Card>
  )
}

function useColumns(): ColumnOf<typeof poolList>[] {
  const dicts = useDicts('projectCategory', 'projectPhase', 'riskLevel')
  return [
    { key: 'projectName', width: 220, locked: true, sort: true, filter: 'text', value: (r) => r.projectName },
    { key: 'areaCode', width: 90, filter: 'area-cascader', value: (r) => r.areaName },
    {
      key: 'riskLevel',
      width: 96,
      filter: 'multi',
      options: dicts.options('riskLevel'),
      value: (r) => (r.riskLevel ? <RiskBadge level={r.riskLevel} /> : '--'),
    },
    { key: 'category', width: 110, weak: true, filter: 'multi', options: dicts.options('projectCategory'), value: (r) => r.categoryName },
    { key: 'phase', width: 110, weak: true, filter: 'multi', options: dicts.options('projectPhase'), value: (r) => r.phaseName ?? '--' },
    { key: 'lastCheck', width: 104, sort: true, filter: 'date-range', value: (r) => r.lastCheck ?? '--' },
    {
      key: 'buildingArea',
      width: 110,
      weak: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => thousands(r.buildingArea),
    },
    { key: 'openRectify', width: 110, align: 'right', sort: true, filter: 'checkbox-empty', value: (r) => r.openRectify },
  ]
}
