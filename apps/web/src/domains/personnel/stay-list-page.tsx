import { PlusOutlined } from '@ant-design/icons'
import { stations } from '@zhugong/contract/labour/codes'
import type { BatchResult } from '@zhugong/contract/labour/model'
import { enterWorker, exitWorkers, removeStays, setTerms } from '@zhugong/contract/labour/stays'
import { mostBadges } from '@zhugong/contract/personnel/badges'
import { consentWorkers, moveWorkers, signWorkers, verifyWorkers } from '@zhugong/contract/personnel/batches'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { importExcel } from '@zhugong/contract/personnel/import'
import { stayFigures, stayList } from '@zhugong/contract/personnel/people'
import type { StayRow } from '@zhugong/contract/personnel/people-rows'
import { decideSelfEntry } from '@zhugong/contract/personnel/self-entry'
import { moveWorker, registerWorker, setFormal, trainWorkers } from '@zhugong/contract/personnel/workers'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { ExitDialog, ExitProposals } from '#domains/labour/public.ts'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { dueWords, thousands } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { MoreMenu } from '#kit/row-actions.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import { usePrint } from '#kit/use-print.ts'
import { licenceRemark } from './figure-words.ts'
import { SelfEntryNotice } from './self-entry-notice.tsx'
import { stayColumns } from './stay-columns.tsx'
import { useTeamOptions } from './team-options.ts'
import './personnel.css'

const DeclareDrawer = laterDialog(() => import('./batch-drawers.tsx').then((file) => file.DeclareDrawer))
const SignDrawer = laterDialog(() => import('./batch-drawers.tsx').then((file) => file.SignDrawer))
const MoveManyDrawer = laterDialog(() => import('./batch-drawers.tsx').then((file) => file.MoveManyDrawer))
const MoveDrawer = laterDialog(() => import('./stay-drawers.tsx').then((file) => file.MoveDrawer))
const Outcome = laterDialog(() => import('./stay-drawers.tsx').then((file) => file.Outcome))
const ReturnDrawer = laterDialog(() => import('./return-drawer.tsx').then((file) => file.ReturnDrawer))
const TermsDrawer = laterDialog(() => import('./terms-drawer.tsx').then((file) => file.TermsDrawer))
const TrainDrawer = laterDialog(() => import('./stay-drawers.tsx').then((file) => file.TrainDrawer))

const sinceEvening = (change: number | null) =>
  change === null ? undefined : change === 0 ? '与昨日持平' : `较昨日 ${change > 0 ? '+' : '−'}${Math.abs(change)}`

/** People of a project, for the labour officer: who is here, and what each still needs to pass the gate. */
export default function StayListPage() {
  const scope = useProjectScope()
  const go = useGo()
  const dicts = useDicts('workerType')
  const list = useListPage(stayList, {
    scope,
    fixedQuery: { view: 'project' },
    defaultSort: '-entryTime',
    defaultFilters: { stationed: '1' },
  })
  const figures = useCall(stayFigures, { query: scope }, { quiet: true, staleMs: 30_000 })
  const { tree, corps, teams } = useTeamOptions(scope)
  const [leaving, setLeaving] = useState<{ rows: readonly StayRow[]; clear: () => void }>()
  const [training, setTraining] = useState<{ rows: readonly StayRow[]; clear: () => void }>()
  const [terms, setTermsOf] = useState<{ rows: readonly StayRow[]; clear: () => void }>()
  const [batch, setBatch] = useState<{ what: 'move' | 'verify' | 'consent' | 'sign'; rows: readonly StayRow[]; clear: () => void }>()
  const [moving, setMoving] = useState<StayRow>()
  const [returning, setReturning] = useState<StayRow>()
  const [outcome, setOutcome] = useState<{ result: BatchResult; verb: string }>()
  const many = scope.projectCode === '*'
  const mayEdit = useCan('personnel.edit')

  const badges = usePrint('workerBadge')
  const printBadges = (query: Readonly<Record<string, unknown>>) => {
    const { page: _page, size: _size, ...filters } = query
    void badges.run({ body: { feature: 'workerBadge', exportType: 'pdf', query: { ...filters, origin: window.location.origin } } })
  }
  const formal = useAct(setFormal, { success: false })
  const taken = useAct(removeStays, { success: false })
  const tell = (result: BatchResult, verb: string, clear: () => void) => {
    if (result.failed.length === 0) clear()
    setOutcome({ result, verb })
  }
  const makeFormal = async (rows: readonly StayRow[], clear: () => void = () => undefined, verb = '已转正式') => {
    const done = await formal.run({ body: { ids: rows.map((r) => r.id), status: formalStates.formal } })
    if (done) tell(done.data, verb, clear)
  }
  const pause = async (rows: readonly StayRow[], clear: () => void = () => undefined) => {
    const reason = await askReason(`暂停 ${rows.length === 1 ? rows[0]?.name : `${rows.length} 人`} 作业`, '暂停原因，收回门禁')
    if (!reason) return
    const done = await formal.run({ body: { ids: rows.map((r) => r.id), status: formalStates.paused, reason } })
    if (done) tell(done.data, '已暂停', clear)
  }
  const takeBack = async (row: StayRow) => {
    const done = await taken.afterRequesting(
      {
        thing: `移除 ${row.name} 的登记`,
        consequence: '这次登记和进场记录一并移除，人员档案保留；已有通行记录的只能退场。',
        verb: '移除登记',
        keep: '保留',
      },
      { body: { ids: [row.id] } },
    )
    if (done) tell(done.data, '已移除', () => undefined)
  }

  const f = figures.data
  const trades = useMemo(
    () => (f?.trades.length ? f.trades.map((t) => ({ value: t.code, label: t.name, count: t.count })) : dicts.options('workerType')),
    [f, dicts],
  )
  const columns = stayColumns({ trades, teams, corps, many, left: list.filters.stationed === stations.left })

  return (
    <ListShell
      above={
        !many && (
          <>
            <SelfEntryNotice projectCode={scope.projectCode} />
            <ExitProposals projectCode={scope.projectCode} />
          </>
        )
      }
      actions={
        <>
          <Can call={registerWorker}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/personListEdit')}>
              登记人员
            </Button>
          </Can>
          <MoreMenu
            items={[
              { label: '批量导入', href: '/personImport', needs: importExcel },
              { label: '扫码自助登记', href: '/selfEntry', needs: decideSelfEntry },
              {
                label: '打印筛选结果的胸牌',
                needs: 'personnel.export',
                disabled: list.total > mostBadges && `一次最多 ${mostBadges} 人，请先按班组筛选`,
                onClick: () => printBadges(list.query),
              },
              {
                label: '打印筛选结果的胸牌（闸机读码）',
                needs: 'personnel.export',
                disabled: list.total > mostBadges && `一次最多 ${mostBadges} 人，请先按班组筛选`,
                onClick: () => printBadges({ ...list.query, code: 'gate' }),
              },
              { label: '人员花名册', href: '/PersonRoster' },
              { label: '人员档案', href: '/personnelSystem' },
              { label: '进场条件未齐', href: '/personList?stationed=1&formalStatus=0' },
              { label: '特种工种缺证', href: '/personList?stationed=1&certState=missing,expired' },
            ]}
          />
        </>
      }
      left={
        <SidePanel
          // A new key remounts the tree when its data arrives, so that it starts expanded.
          key={tree.data ? 'tree' : 'waiting'}
          title="单位与班组"
          searchPlaceholder="搜索单位、班组"
          all={{ title: '全部', count: f ? f.onSite : undefined }}
          nodes={(tree.data ?? []).map((c) => ({
            key: `c:${c.id}`,
            title: c.name,
            count: c.count,
            children: c.children?.map((t) => ({ key: `t:${t.id}`, title: t.name, count: t.count })),
          }))}
          selected={list.filters.teamId ? `t:${list.filters.teamId}` : list.filters.corpCode ? `c:${list.filters.corpCode}` : undefined}
          onSelect={(key) =>
            list.setFilters({
              corpCode: key?.startsWith('c:') ? key.slice(2) : undefined,
              teamId: key?.startsWith('t:') ? key.slice(2) : undefined,
            })
          }
          footer={
            <>
              <span>已退场 {thousands(f?.left)} 人</span>
              <Link to="/personList?stationed=2&sort=-exitTime">查看</Link>
            </>
          }
        />
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            {
              label: '在册人员',
              value: thousands(f?.onSite),
              unit: '人',
              remark: f && (many ? `工人 ${thousands(f.workers)}，管理 ${thousands(f.managers)}` : sinceEvening(f.change)),
              trend: f && f.onSiteByDay.length > 1 ? f.onSiteByDay : undefined,
              href: '/personList?stationed=1',
            },
            {
              label: '今日出勤',
              value: thousands(f?.came),
              unit: '人',
              remark: f && dueWords(f.today),
              trend: f && f.cameByDay.length > 1 ? f.cameByDay : undefined,
              href: '/personList?stationed=1&firstIn=in',
            },
            {
              label: '特种证 30 日内到期',
              value: thousands(f?.certEnding),
              unit: '人',
              remark: licenceRemark(f),
              remarkTone: f && f.certEnded + f.certMissing > 0 ? 'danger' : undefined,
              tone: f?.certEnding ? 'warning' : undefined,
              href: '/personList?stationed=1&certState=expiring',
            },
            {
              label: '进场未签合同',
              value: thousands(f?.noContract),
              unit: '人',
              remark: f && `预登记 ${thousands(f.notFormal)} 人`,
              tone: f?.noContract ? 'warning' : undefined,
              href: '/personList?stationed=1&hasContract=0',
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'q', placeholder: '姓名、证件号、手机号' }}
        filterWords={{ importId: { title: '来自', words: { [list.filters.importId ?? '']: '同一次导入' } } }}
        onRow={(r) => go('/personListDetails', { id: r.id, workerId: r.workerId })}
        emptyHint={many ? '管辖的项目还没有登记人员' : '从“登记人员”开始，或批量导入名册'}
        selection={{
          unit: '人',
          disabled: (r) => r.stationed === stations.left,
          actions: (rows, clear) => (
            <>
              <Can code="personnel.export">
                <Button size="small" loading={badges.running} onClick={() => printBadges({ ids: rows.map((r) => r.id).join(',') })}>
                  打印胸牌
                </Button>
              </Can>
              <Can call={setFormal} at={rows}>
                <Button size="small" loading={formal.running} onClick={() => void makeFormal(rows, clear)}>
                  转正式
                </Button>
                <Button size="small" onClick={() => void pause(rows, clear)}>
                  暂停作业
                </Button>
              </Can>
              <Can call={trainWorkers} at={rows}>
                <Button size="small" onClick={() => setTraining({ rows, clear })}>
                  登记教育
                </Button>
              </Can>
              <Can call={setFormal} at={rows}>
                {rows.some((r) => r.formalStatus === formalStates.paused) && (
                  <Button
                    size="small"
                    onClick={() =>
                      void makeFormal(
                        rows.filter((r) => r.formalStatus === formalStates.paused),
                        clear,
                        '已恢复作业',
                      )
                    }
                  >
                    恢复作业
                  </Button>
                )}
              </Can>
              <Can call={verifyWorkers} at={rows}>
                <Button size="small" onClick={() => setBatch({ what: 'verify', rows, clear })}>
                  实名核验
                </Button>
              </Can>
              <Can call={consentWorkers} at={rows}>
                <Button size="small" onClick={() => setBatch({ what: 'consent', rows, clear })}>
                  告知同意
                </Button>
              </Can>
              <Can call={signWorkers} at={rows}>
                <Button size="small" onClick={() => setBatch({ what: 'sign', rows, clear })}>
                  签合同
                </Button>
              </Can>
              <Can call={moveWorkers} at={rows}>
                {new Set(rows.map((r) => r.projectCode)).size === 1 && (
                  <Button size="small" onClick={() => setBatch({ what: 'move', rows, clear })}>
                    调班组
                  </Button>
                )}
              </Can>
              <Can call={setTerms} at={rows}>
                <Button size="small" onClick={() => setTermsOf({ rows, clear })}>
                  用工信息
                </Button>
              </Can>
              <Can call={exitWorkers} at={rows}>
                <Button size="small" danger onClick={() => setLeaving({ rows, clear })}>
                  批量退场
                </Button>
              </Can>
            </>
          ),
        }}
        actions={(r) => [
          mayEdit && { label: '编辑', href: hrefOf('/personListEdit', { id: r.workerId }) },
          { label: '详情', href: hrefOf('/personListDetails', { id: r.id, workerId: r.workerId }) },
          { label: '档案', href: hrefOf('/personnelSystem/info/basic', { id: r.workerId }) },
          r.stationed === stations.left && { label: '再次进场', needs: enterWorker, onClick: () => setReturning(r) },
          r.stationed === stations.present &&
            r.formalStatus !== formalStates.formal && {
              label: r.formalStatus === formalStates.paused ? '恢复作业' : '转正式',
              needs: setFormal,
              onClick: () => makeFormal([r]),
            },
          r.stationed === stations.present &&
            r.formalStatus === formalStates.formal && { label: '暂停作业', needs: setFormal, onClick: () => pause([r]) },
          r.stationed === stations.present && {
            label: '登记教育',
            needs: trainWorkers,
            onClick: () => setTraining({ rows: [r], clear: () => undefined }),
          },
          r.stationed === stations.present && {
            label: '用工信息',
            needs: setTerms,
            onClick: () => setTermsOf({ rows: [r], clear: () => undefined }),
          },
          r.stationed === stations.present && { label: '调班组', needs: moveWorker, onClick: () => setMoving(r) },
          r.stationed === stations.present && {
            label: '退场',
            danger: true,
            needs: exitWorkers,
            onClick: () => setLeaving({ rows: [r], clear: () => undefined }),
          },
          r.stationed === stations.present &&
            r.formalStatus === formalStates.registered && {
              label: '移除登记',
              danger: true,
              needs: removeStays,
              onClick: () => takeBack(r),
            },
        ]}
      />
      {leaving && <ExitDialog people={leaving.rows} onClose={() => setLeaving(undefined)} onDone={(clean) => clean && leaving.clear()} />}
      {training && (
        <TrainDrawer
          people={training.rows}
          onClose={() => setTraining(undefined)}
          onDone={(result) => tell(result, '已登记教育', training.clear)}
        />
      )}
      {batch?.what === 'move' && (
        <MoveManyDrawer people={batch.rows} onClose={() => setBatch(undefined)} onDone={(r) => tell(r, '已调整', batch.clear)} />
      )}
      {batch?.what === 'sign' && (
        <SignDrawer people={batch.rows} onClose={() => setBatch(undefined)} onDone={(r) => tell(r, '已签合同', batch.clear)} />
      )}
      {batch && (batch.what === 'verify' || batch.what === 'consent') && (
        <DeclareDrawer
          kind={batch.what}
          people={batch.rows}
          onClose={() => setBatch(undefined)}
          onDone={(r) => tell(r, batch.what === 'verify' ? '已核验' : '已登记同意', batch.clear)}
        />
      )}
      {terms && (
        <TermsDrawer
          people={terms.rows}
          onClose={() => setTermsOf(undefined)}
          onDone={(result) => tell(result, '已设置用工信息', terms.clear)}
        />
      )}
      {returning && <ReturnDrawer stay={returning} onClose={() => setReturning(undefined)} />}
      {moving && <MoveDrawer stay={moving} onClose={() => setMoving(undefined)} />}
      {outcome && <Outcome {...outcome} onClose={() => setOutcome(undefined)} />}
    </ListShell>
  )
}
