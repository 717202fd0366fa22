import { changeCampaign, getCampaign } from '@zhugong/contract/campaigns/calls'
import { type CampaignCheck, campaignCheckList, listCampaignChecks } from '@zhugong/contract/campaigns/checks'
import { campaignStates } from '@zhugong/contract/campaigns/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell, PageShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { anywhere, keyOf, may } from './campaign-acts.ts'
import { CampaignStateTag, CheckTag, GradeTag, marks, percent } from './campaign-words.tsx'
import { Matrix } from './matrix.tsx'
import { Report } from './report.tsx'
import './campaigns.css'

const path = '/jgt/provinces/checkList'
const government = 1

/** State of every project of one campaign. */
export default function CampaignChecksPage() {
  const id = usePageQuery().get('planId') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择督查" hint="从省市检查打开一次督查">
          <Button onClick={() => go('/jgt/provinces/list')}>去省市检查</Button>
        </Empty>
      </PageShell>
    )
  return <Checks key={id} id={id} />
}

type Show = 'list' | 'matrix' | 'report'

function Checks({ id }: { id: string }) {
  const go = useGo()
  const isAuthority = useGroupType() === government
  const read = useCall(getCampaign, { params: { id }, query: anywhere }, { quiet: true, staleMs: 0 })
  const list = useListPage(campaignCheckList, { scope: { ...anywhere, planId: id }, own: ['planId', 'show'], defaultSort: '-score' })
  const { data } = useCall(listCampaignChecks, { query: { ...anywhere, planId: id, size: 20 } }, { quiet: true })
  const [show, setShow] = useState<Show>((usePageQuery().get('show') as Show | null) ?? 'list')
  const urge = useAct(changeCampaign, { success: '已催报' })
  const columns = useColumns(isAuthority)
  const counts = data?.counts
  const file = read.data
  if (read.error)
    return (
      <PageShell>
        <ErrorPanel error={read.error} retry={read.refetch} />
      </PageShell>
    )
  const figure = (label: string, value: string | undefined, unit: string, query?: string) => ({
    label,
    value,
    unit,
    href: query === undefined ? undefined : hrefOf(path, { planId: id, ...Object.fromEntries(new URLSearchParams(query)) }),
  })
  const shows = [
    { value: 'list', label: '列表' },
    { value: 'matrix', label: '问题矩阵' },
    { value: 'report', label: file?.published ? '通报' : '通报与整改' },
  ]
  return (
    <ListShell
      title={file?.name}
      remark={file && `${file.organiserName} · ${file.startDate} 至 ${file.endDate}`}
      titleActions={
        file && (
          <>
            <CampaignStateTag row={file} />
            {may(file, 'urge') && (
              <Button
                loading={urge.running}
                onClick={() => void urge.run({ ...keyOf(file), body: { action: 'urge', version: file.version } })}
              >
                催报
              </Button>
            )}
            {file.own && <Button onClick={() => go('/jgt/provinces/addProject', { planId: id })}>抽取与名单</Button>}
          </>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('应检', thousands(counts?.due), '个', ''),
            figure('已检', thousands(counts?.done), '个', 'done=true'),
            figure('平均分', marks(counts?.avgScore ?? null), '分'),
            figure('重大隐患', thousands(counts?.major), '个项目', 'majorCount=true'),
          ]}
        />
      }
      above={
        <Segmented
          className="campaign-shows"
          options={isAuthority ? shows : shows.filter((one) => one.value !== 'matrix')}
          value={show}
          onChange={(next) => setShow(next as Show)}
        />
      }
    >
      {show === 'matrix' ? (
        <Matrix id={id} />
      ) : show === 'report' ? (
        file && <Report file={file} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          rowKey="taskId"
          unit="个"
          onRow={(row) => go(...pageOf(row))}
          emptyHint={file?.state === campaignStates.issued ? '名单锁定后在此出现' : '没有您可以查看的受检项目'}
          filterWords={{
            done: { title: '检查', words: { true: '已提交', false: '未提交' } },
            majorCount: { title: '重大隐患', words: { true: '有', false: '无' } },
          }}
          actions={(row) => [
            { label: '项目简报', href: hrefOf('/jgt/provinces/project/projectDetails', { taskId: row.taskId }) },
            row.checkId !== null && { label: '结果', href: hrefOf('/jgt/provinces/checkResult', { taskId: row.taskId }) },
          ]}
        />
      )}
    </ListShell>
  )
}

const open: readonly string[] = ['', '0', '1']
const pageOf = (row: CampaignCheck): [string, { taskId: string }] =>
  open.includes(row.state)
    ? ['/jgt/provinces/project/projectDetails', { taskId: row.taskId }]
    : ['/jgt/provinces/checkResult', { taskId: row.taskId }]

function useColumns(isAuthority: boolean): ColumnOf<typeof campaignCheckList>[] {
  const dicts = useDicts('safetyGrade', 'rectifyNoticeType', 'dayCheckState')
  const columns: ColumnOf<typeof campaignCheckList>[] = [
    {
      key: 'rank',
      width: 64,
      align: 'right',
      hidden: !isAuthority,
      value: (r) => r.rank ?? (r.missingSheets.length > 0 ? <Tag icon={false}>缺表</Tag> : '--'),
    },
    {
      key: 'projectName',
      width: 210,
      locked: true,
      value: (r) => (
        <>
          {r.projectName}
          {r.missingSheets.length > 0 && <div className="zg-2">未检 {r.missingSheets.join('、')}，不参与排名</div>}
        </>
      ),
    },
    { key: 'areaCode', width: 84, weak: true, filter: 'area-cascader', value: (r) => r.areaName },
    { key: 'groupName', width: 110, value: (r) => r.groupName ?? '--' },
    { key: 'checkers', width: 140, weak: true, value: (r) => r.checkers.join('、') || '--' },
    { key: 'checkDate', width: 104, sort: true, filter: 'date-range', value: (r) => r.checkDate ?? '--' },
    { key: 'score', width: 80, align: 'right', sort: true, filter: 'numeric-range', value: (r) => marks(r.score) },
    { key: 'grade', width: 84, filter: 'multi', options: dicts.options('safetyGrade'), value: (r) => <GradeTag row={r} /> },
    { key: 'problemCount', width: 84, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.problemCount },
    {
      key: 'majorCount',
      width: 84,
      align: 'right',
      sort: true,
      filter: 'checkbox-empty',
      value: (r) => <span className={r.majorCount > 0 ? 'tone-danger' : undefined}>{r.majorCount}</span>,
    },
    {
      key: 'noticeType',
      width: 130,
      weak: true,
      filter: 'multi',
      options: dicts.options('rectifyNoticeType'),
      value: (r) => r.noticeTypeName ?? '--',
    },
    { key: 'closeRate', width: 84, align: 'right', sort: true, filter: 'numeric-range', value: (r) => percent(r.closeRate) },
    {
      key: 'state',
      width: 120,
      keeps: true,
      filter: 'multi',
      options: dicts.options('dayCheckState'),
      value: (r) => <CheckTag row={r} />,
    },
  ]
  return columns
}
