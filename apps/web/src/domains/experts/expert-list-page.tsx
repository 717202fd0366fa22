import { PlusOutlined } from '@ant-design/icons'
import { freezeDraw } from '@zhugong/contract/experts/draws'
import {
  changeExpert,
  createExpert,
  type ExpertRow,
  expertList,
  getLibrary,
  listExperts,
  saveLibrary,
} from '@zhugong/contract/experts/library'
import { expertStates } from '@zhugong/contract/experts/moves'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { inDays, today } from './days.ts'
import { DrawDrawer } from './draw-drawer.tsx'
import { DrawTable } from './draw-table.tsx'
import { DrawView } from './draw-view.tsx'
import { ExpertStateTag, GradeTag } from './expert-words.tsx'
import { LibraryDrawer } from './library-drawer.tsx'
import { ReviewDrawer } from './review-drawer.tsx'
import './experts.css'

const path = '/person/expert/list'
const formPage = '/person/expert/form'
const endingDays = 90
const anywhere = { projectCode: '*' }
const renewable: readonly string[] = [expertStates.listed, expertStates.ended]

/** Clerk: who waits, who leaves? Organiser: draw people. Readers: who is competent for what? */
export default function ExpertListPage() {
  const go = useGo()
  const tab = usePageQuery().get('tab') ?? 'listed'
  const [opened, setOpened] = useState<'draw' | 'library'>()
  const [frozen, setFrozen] = useState<string>()
  const { data } = useCall(listExperts, { query: { ...anywhere, size: 1 } }, { quiet: true })
  const library = useCall(getLibrary, { query: anywhere }, { quiet: true }).data?.library
  const counts = data?.counts
  const own = library?.own ?? false
  const tabs = [
    { value: 'listed', label: '在库' },
    ...(own
      ? [
          { value: 'waiting', label: `待审核 ${counts?.waiting ?? ''}`.trim() },
          { value: 'drafts', label: '草稿与驳回' },
          { value: 'removed', label: '已出库' },
        ]
      : []),
    { value: 'draws', label: '抽取记录' },
  ]
  const bar = <Segmented options={tabs} value={tab} onChange={(next) => go(path, { tab: next })} />
  return (
    <ListShell
      remark={library?.name}
      titleActions={
        <Can call={saveLibrary}>
          <Button onClick={() => setOpened('library')}>专家库设置</Button>
        </Can>
      }
      actions={
        <>
          <Can call={freezeDraw}>
            <Button type="primary" onClick={() => setOpened('draw')}>
              抽取专家
            </Button>
          </Can>
          {own && (
            <Can call={createExpert}>
              <Button icon={<PlusOutlined />} onClick={() => go(formPage)}>
                登记专家
              </Button>
            </Can>
          )}
        </>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '在库', value: thousands(counts?.listed), unit: '人', href: `${path}?tab=listed` },
            {
              label: '待审核',
              value: thousands(counts?.waiting),
              unit: '人',
              tone: counts?.waiting ? 'warning' : undefined,
              href: own ? `${path}?tab=waiting` : undefined,
            },
            {
              label: `${endingDays} 日内聘期届满`,
              value: thousands(counts?.ending),
              unit: '人',
              href: `${path}?tab=listed&validEnd=${today()},${inDays(endingDays)}`,
            },
            { label: '本年抽取', value: thousands(counts?.draws), unit: '场', href: `${path}?tab=draws&thisYear=true` },
          ]}
        />
      }
    >
      {tab === 'draws' ? <DrawTable toolbar={bar} /> : <Experts key={tab} tab={tab} own={own} toolbar={bar} />}
      {opened === 'draw' && <DrawDrawer onFrozen={setFrozen} onClose={() => setOpened(undefined)} />}
      {frozen && <DrawView id={frozen} onOpen={setFrozen} onClose={() => setFrozen(undefined)} />}
      {opened === 'library' && <LibraryDrawer library={library ?? undefined} onClose={() => setOpened(undefined)} />}
    </ListShell>
  )
}

function Experts({ tab, own, toolbar }: { tab: string; own: boolean; toolbar: ReactNode }) {
  const go = useGo()
  const list = useListPage(expertList, { scope: { ...anywhere, tab: tab as 'listed' }, own: ['tab', 'drawId'] })
  const [reviewed, setReviewed] = useState<ExpertRow>()
  const act = useAct(changeExpert)
  const columns = useColumns(own, tab)
  const renew = (row: ExpertRow) =>
    void act.afterRequesting(
      { thing: `续聘 ${row.name}`, consequence: '聘期从届满次日起顺延 3 年。', verb: '续聘', keep: '不续聘' },
      { params: { id: row.id }, query: anywhere, body: { action: 'renew', version: row.version, years: 3 } },
    )
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'name', placeholder: '姓名' }}
        toolbar={toolbar}
        onRow={(row) => go(formPage, { id: row.id })}
        emptyHint={tab === 'waiting' ? '没有待审核的申请' : '还没有专家：公开申请或由管理员登记'}
        actions={(row) => [
          own && tab === 'waiting' && { label: '审核', needs: changeExpert, onClick: () => setReviewed(row) },
          { label: '档案', href: hrefOf(formPage, { id: row.id }) },
          own &&
            tab === 'listed' &&
            renewable.includes(row.state) &&
            (row.validEnd ?? '') < inDays(endingDays) && { label: '续聘', needs: 'experts.review', onClick: () => renew(row) },
          own && tab === 'listed' && { label: '评价', href: hrefOf('/person/expert/evaluateDetail', { id: row.id }) },
        ]}
      />
      {reviewed && <ReviewDrawer first={reviewed} waiting={list.rows} onClose={() => setReviewed(undefined)} />}
    </>
  )
}

function useColumns(own: boolean, tab: string): ColumnOf<typeof expertList>[] {
  const dicts = useDicts('titleLevel', 'expertSpecialty', 'expertState', 'expertEvaluateGrade', 'gender')
  const waits = tab === 'waiting'
  return [
    { key: 'photo', width: 56, value: (r) => r.photo && <Thumb src={r.photo} name={r.name} width={24} height={30} /> },
    { key: 'name', width: 88, locked: true, filter: 'text', sort: true, value: (r) => r.name },
    { key: 'gender', width: 64, weak: true, filter: 'multi', options: dicts.options('gender'), value: (r) => r.genderName },
    { key: 'workUnit', width: 200, filter: 'text', value: (r) => r.workUnit },
    { key: 'title', width: 96, filter: 'multi', options: dicts.options('titleLevel'), value: (r) => r.titleName },
    {
      key: 'specialties',
      width: 200,
      filter: 'multi',
      options: dicts.options('expertSpecialty'),
      value: (r) => (r.wishNames ? `${r.specialtyNames.join('、')} → ${r.wishNames.join('、')}` : r.specialtyNames.join('、')),
    },
    { key: 'phone', width: 120, hidden: !own, value: (r) => <span className="zg-num">{r.phone}</span> },
    { key: 'validEnd', width: 108, hidden: waits, sort: true, filter: 'date-range', value: (r) => r.validEnd },
    { key: 'yearCount', width: 88, hidden: !own || waits, align: 'right', sort: true, value: (r) => r.yearCount },
    {
      key: 'acceptRate',
      width: 80,
      hidden: !own || waits,
      align: 'right',
      weak: true,
      value: (r) => (r.acceptRate === null ? undefined : `${r.acceptRate}%`),
    },
    { key: 'score', width: 92, hidden: !own || waits, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.score },
    {
      key: 'grade',
      width: 84,
      hidden: !own || waits,
      filter: 'multi',
      options: dicts.options('expertEvaluateGrade'),
      value: (r) => <GradeTag grade={r.grade} name={r.gradeName} />,
    },
    { key: 'submitTime', width: 140, hidden: !waits, sort: true, value: (r) => r.submitTime?.slice(0, 16) },
    {
      key: 'state',
      width: 96,
      keeps: true,
      filter: 'multi',
      options: dicts.options('expertState'),
      value: (r) => <ExpertStateTag row={r} />,
    },
  ]
}
