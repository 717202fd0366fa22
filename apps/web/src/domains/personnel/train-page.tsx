import { type TrainColumn, type TrainMark, type TrainRow, trainColumns } from '@zhugong/contract/personnel/train-model'
import { createSession, trainedList, trainFigures } from '@zhugong/contract/personnel/training'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Bone, Card, FigureStrip, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { day, ratioOf, thousands, time } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { SessionTable } from './session-table.tsx'
import { useTeamOptions } from './team-options.ts'
import { markTitle, markWords, unmarkedWords } from './train-words.ts'
import './personnel.css'

const SessionDrawer = laterDialog(() => import('./session-drawer.tsx').then((file) => file.SessionDrawer))

/** Trainings by person, and people working without one. */
export default function TrainPage() {
  const scope = useProjectScope()
  const go = useGo()
  const tab = usePageQuery().get('tab') === 'sessions' ? 'sessions' : 'people'
  const figures = useCall(trainFigures, { query: scope }, { quiet: true, staleMs: 30_000 })
  const f = figures.data
  return (
    <ListShell
      remark="一人一行；入场教育合格，或三级安全教育全部合格，才能进场作业"
      titleActions={
        <Segmented<'people' | 'sessions'>
          value={tab}
          onChange={(next) => go('/person/train', next === 'people' ? {} : { tab: next }, { replace: true })}
          options={[
            { value: 'people', label: '按人员' },
            { value: 'sessions', label: '培训场次' },
          ]}
        />
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '在册', value: thousands(f?.onSite), unit: '人', href: '/person/train' },
            {
              label: '培训率',
              value: f ? ratioOf(f.trained, f.onSite) : undefined,
              remark: f ? `已培训 ${thousands(f.trained)} 人` : undefined,
              tone: f && f.untrained === 0 ? 'fine' : undefined,
              href: '/person/train?entryTrained=1',
            },
            {
              label: '在场未培训',
              value: thousands(f?.untrained),
              unit: '人',
              tone: f?.untrained ? 'danger' : undefined,
              remark: f?.untrainedPassed ? `${thousands(f.untrainedPassed)} 人已过闸` : undefined,
              remarkTone: f?.untrainedPassed ? 'danger' : undefined,
              href: '/person/train?entryTrained=0',
            },
            {
              label: '一年到期',
              value: thousands(f?.due),
              unit: '人',
              remark: '30 日内须再教育',
              tone: f?.due ? 'warning' : undefined,
            },
          ]}
        />
      }
      above={tab === 'people' && (figures.isPending || (f && f.teams.length > 0)) && <TeamGaps teams={f?.teams} />}
    >
      {tab === 'people' ? <People scope={scope} /> : <SessionTable scope={scope} />}
    </ListShell>
  )
}

/** 应训未训: teams with untrained people, and their share. */
function TeamGaps({
  teams,
}: {
  teams: readonly { teamId: string | null; teamName: string; onSite: number; untrained: number }[] | undefined
}) {
  return (
    <Card title="应训未训" remark="各班组在册人数中没有入场教育的，点一个班组看名单" flush>
      {teams ? (
        <ul className="per-gaps">
          {teams.slice(0, mostTeams).map((t) => (
            <li key={t.teamId ?? ''}>
              <Link to={hrefOf('/person/train', { entryTrained: '0', teamId: t.teamId || undefined })}>{t.teamName}</Link>
              <span className="track">
                <Filled part={t.untrained} whole={t.onSite} />
              </span>
              <span className="zg-num">
                {t.untrained} / {t.onSite} 人
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Bone width="100%" height={44} />
      )}
    </Card>
  )
}
const mostTeams = 16

function People({ scope }: { scope: { projectCode: string } }) {
  const go = useGo()
  const dicts = useDicts('workerType')
  const list = useListPage(trainedList, { scope, fixedQuery: { view: 'train' }, own: ['tab'] })
  const { corps, teams } = useTeamOptions(scope)
  const [holding, setHolding] = useState<{ rows: readonly TrainRow[]; clear: () => void }>()
  const cards = usePrint('trainingCard')
  const many = scope.projectCode === '*'
  const lacks = Object.entries(trainColumns).map(([value, { title }]) => ({ value, label: `缺${title}` }))
  const mark = (key: keyof typeof trainColumns): ColumnOf<typeof trainedList> => ({
    key,
    width: key === 'entry' ? 124 : 104,
    value: (r) => <Mark column={key} mark={r.marks[key]} />,
  })
  const columns: ColumnOf<typeof trainedList>[] = [
    {
      key: 'name',
      width: 84,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => <Link to={hrefOf('/person/train/details', { id: r.workerId })}>{r.name}</Link>,
    },
    { key: 'workType', width: 96, filter: 'tree-cascader', tree: dicts.tree('workerType'), value: (r) => r.workTypeName },
    { key: 'teamId', width: 120, filter: 'single', options: teams, value: (r) => r.teamName },
    { key: 'corpCode', width: 170, hidden: !many, filter: 'single', options: corps, value: (r) => r.corpName },
    { key: 'projectName', width: 170, hidden: !many, value: (r) => r.projectName },
    { key: 'entryTime', width: 100, weak: true, sort: true, filter: 'date-range', value: (r) => day(r.entryTime) },
    {
      key: 'entryTrained',
      width: 92,
      sort: true,
      filter: 'single',
      options: [
        { value: '1', label: '可进场' },
        { value: '0', label: '未培训' },
      ],
      value: (r) => (r.entryTrained ? '可进场' : <Tag tone="danger">未培训</Tag>),
    },
    { ...mark('entry'), filterKey: 'lack', filter: 'multi', options: lacks },
    mark('company'),
    mark('project'),
    mark('team'),
    { ...mark('resume'), hidden: true },
    { ...mark('special'), hidden: true },
    { key: 'trainHours', width: 92, align: 'right', filter: 'numeric-range', value: (r) => `${r.hours}` },
    { key: 'lastTrain', width: 104, filter: 'date-range', value: (r) => r.lastTrain },
    {
      key: 'passedGate',
      width: 152,
      filter: 'single',
      options: [
        { value: '1', label: '进场后过过闸' },
        { value: '0', label: '没有过闸' },
      ],
      value: (r) => (r.lastPass ? <span className={r.entryTrained ? undefined : 'tone-danger'}>{time(r.lastPass)}</span> : null),
    },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'q', placeholder: '姓名、证件号、手机号' }}
        onRow={(r) => go('/person/train/details', { id: r.workerId })}
        actions={(r) => [
          { label: '登记培训', needs: createSession, onClick: () => setHolding({ rows: [r], clear: () => undefined }) },
          { label: '教育卡', href: hrefOf('/person/train/details', { id: r.workerId }) },
        ]}
        selection={{
          unit: '人',
          actions: (rows, clear) => (
            <>
              <Can call={createSession}>
                <Button type="primary" onClick={() => setHolding({ rows, clear })}>
                  登记培训
                </Button>
              </Can>
              <Can call={{ needs: 'personnel.export' }}>
                <Button
                  loading={cards.running}
                  disabled={rows.length > 100}
                  onClick={() =>
                    void cards.run({
                      body: { feature: 'trainingCard', exportType: 'pdf', query: { ids: rows.map((r) => r.id).join(',') } },
                    })
                  }
                >
                  打印三级教育卡
                </Button>
              </Can>
            </>
          ),
        }}
      />
      {holding && (
        <SessionDrawer
          people={holding.rows}
          onClose={() => setHolding(undefined)}
          onDone={() => {
            holding.clear()
            list.refresh()
          }}
        />
      )}
    </>
  )
}

const tones: Record<TrainMark['state'], string> = {
  passed: 'tone-fine',
  failed: 'tone-danger',
  due: 'tone-warning',
  covered: 'zg-2',
  none: 'zg-2',
}
function Mark({ column, mark }: { column: TrainColumn; mark: TrainMark | undefined }) {
  const wide = column === 'entry'
  if (!mark || mark.state === 'none' || mark.state === 'covered') return <span className="zg-2">{unmarkedWords(column, mark?.state)}</span>
  return (
    <span className={tones[mark.state]} title={markTitle(mark)}>
      {mark.state === 'passed' ? `${mark.hours} 学时` : markWords[mark.state]}
      {wide && <span className="zg-2"> {mark.date?.slice(5)}</span>}
    </span>
  )
}
