import type { SessionRow } from '@zhugong/contract/personnel/train-model'
import { changeSession, getSession, listSessions, removeSession } from '@zhugong/contract/personnel/training'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { DetailSkeleton, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { Column } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { type Marked, MarkList } from './session-drawer.tsx'

const all = { projectCode: '*' }

/** Training sessions, held and planned. */
export function SessionTable({ scope }: { scope: { projectCode: string } }) {
  const dicts = useDicts('trainingType')
  const list = useListPage(listSessions, { scope, defaultSort: '-startTime', inUrl: false })
  const [shown, setShown] = useState<SessionRow>()
  const sheet = usePrint('trainingSheet')
  const remove = useAct(removeSession, { success: '已删除' })
  const many = scope.projectCode === '*'
  const columns: Column<SessionRow>[] = [
    { key: 'startTime', title: '时间', width: 140, locked: true, sort: true, filter: 'date-range', value: (r) => r.startTime.slice(0, 16) },
    { key: 'name', title: '培训名称', width: 220, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'trainingType', title: '类型', width: 130, filter: 'multi', options: dicts.options('trainingType'), value: (r) => r.typeName },
    { key: 'duration', title: '学时', width: 72, align: 'right', value: (r) => r.duration },
    { key: 'trainer', title: '授课人', width: 90, value: (r) => r.trainer },
    { key: 'corpCode', title: '组织单位', width: 200, weak: true, value: (r) => r.corpName },
    { key: 'projectName', title: '项目', width: 190, hidden: !many, value: (r) => r.projectName },
    {
      key: 'people',
      title: '参训',
      width: 130,
      value: (r) => (
        <span className="per-share" title={`${r.people} 人，合格 ${r.passed} 人`}>
          {r.closed && <i style={{ width: `${r.people ? (r.passed / r.people) * 60 : 0}px` }} />}
          {r.closed ? `${r.passed} / ${r.people}` : `${r.people} 人`}
        </span>
      ),
    },
    {
      key: 'closed',
      title: '状态',
      width: 96,
      filter: 'single',
      options: [
        { value: '1', label: '已登记' },
        { value: '0', label: '待登记' },
      ],
      value: (r) => (
        <Tag tone={r.closed ? 'fine' : 'running'} icon={false}>
          {r.closed ? '已登记' : '待登记'}
        </Tag>
      ),
    },
  ]
  const drop = (r: SessionRow) =>
    remove.afterRequesting(
      {
        thing: `删除培训 ${r.name}`,
        consequence: `${r.people} 人的安排一并删除；已登记成绩的场次不能删除。`,
        verb: '删除培训',
        keep: '保留',
      },
      { params: { id: r.id }, query: all },
    )
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="场"
        name="train-sessions"
        search={{ key: 'name', placeholder: '培训名称' }}
        emptyHint="在“按人员”里勾选人员，登记一场培训"
        onRow={setShown}
        actions={(r) => [
          { label: r.closed ? '名单与成绩' : '登记成绩', onClick: () => setShown(r) },
          {
            label: '签到表',
            needs: 'personnel.export',
            onClick: () => void sheet.run({ body: { feature: 'trainingSheet', exportType: 'pdf', query: { id: r.id } } }),
          },
          !r.closed && { label: '删除', danger: true, needs: removeSession, onClick: () => void drop(r) },
        ]}
      />
      {shown && <SessionMarks id={shown.id} onClose={() => setShown(undefined)} />}
    </>
  )
}

function SessionMarks({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useCall(getSession, { params: { id }, query: all }, { quiet: true })
  const [changed, setChanged] = useState<Readonly<Record<string, Marked>>>()
  const act = useAct(changeSession, { success: '已保存', onDone: onClose })
  const s = read.data
  const given = Object.fromEntries((s?.workers ?? []).map((w) => [w.projectWorkerId, { passed: w.passed, score: w.score }]))
  const marks = changed ?? given
  const save = (close: boolean) =>
    s &&
    void act.run({
      params: { id },
      query: all,
      body: {
        action: 'mark',
        version: s.version,
        close,
        // People not ticked have not passed.
        workers: s.workers.map((w) => ({
          projectWorkerId: w.projectWorkerId,
          score: marks[w.projectWorkerId]?.score ?? null,
          passed: close ? marks[w.projectWorkerId]?.passed === true : (marks[w.projectWorkerId]?.passed ?? null),
        })),
      },
    })
  const corrected = s?.workers.filter((w) => w.changes.length > 0) ?? []
  return (
    <PageDrawer
      open
      size={560}
      title={s?.name ?? '培训'}
      onClose={onClose}
      footer={
        <div className="per-review-foot">
          <Button onClick={onClose}>关闭</Button>
          <span className="right">
            {s && !s.closed && s.state !== 'cancelled' && (
              <Button loading={act.running} disabled={!changed} onClick={() => save(false)}>
                暂存
              </Button>
            )}
            {s && !s.closed && s.state !== 'cancelled' && (
              <Button type="primary" loading={act.running} onClick={() => save(true)}>
                登记成绩
              </Button>
            )}
            {s?.closed && (
              <Link to={hrefOf('/safetyP/train/details', { id })} onClick={onClose}>
                更正与补考
              </Link>
            )}
          </span>
        </div>
      }
    >
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !s ? (
        <DetailSkeleton />
      ) : (
        <>
          <Pairs
            items={[
              { label: '类型', value: s.typeName },
              { label: '时间', value: `${s.startTime.slice(0, 16)}，${s.duration} 学时` },
              { label: '授课人', value: s.trainer },
              { label: '地点', value: s.address },
              { label: '内容', value: s.content, wide: true },
            ]}
          />
          {s.closed && <Notice tone="info">成绩已登记；更正与补考在场次详情办理，保留原成绩、时间和改动人。</Notice>}
          <MarkList
            people={s.workers.map((w) => ({ id: w.projectWorkerId, name: w.name, teamName: w.teamName }))}
            marks={marks}
            onChange={setChanged}
            readOnly={s.closed || s.state === 'cancelled'}
          />
          {corrected.map((w) =>
            w.changes.map((c) => (
              <div key={`${w.id}${c.time}`} className="zg-2">
                {w.name}：{c.time} {c.by} 由 {c.from.score ?? '--'} {c.from.passed ? '合格' : '不合格'} 改为 {c.to.score ?? '--'}{' '}
                {c.to.passed ? '合格' : '不合格'}
              </div>
            )),
          )}
        </>
      )}
    </PageDrawer>
  )
}
