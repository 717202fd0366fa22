import { stations } from '@zhugong/contract/labour/codes'
import type { BatchResult } from '@zhugong/contract/labour/model'
import { enterWorker, exitWorkers, setAccount, setTerms } from '@zhugong/contract/labour/stays'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { isHeld } from '@zhugong/contract/personnel/worker-model'
import { setFormal, trainWorkers, updateWorker, workerDetailInfo } from '@zhugong/contract/personnel/workers'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { ExitDialog } from '#domains/labour/public.ts'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { day, daysUntil } from '#kit/format.ts'
import { notify } from '#kit/notify.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { MoreMenu } from '#kit/row-actions.tsx'
import { ReturnDrawer } from './return-drawer.tsx'
import { Outcome, TrainDrawer } from './stay-drawers.tsx'
import { TermsDrawer } from './terms-drawer.tsx'
import { StayTag } from './words.tsx'
import './personnel.css'
import { UploadState } from '../docking/public.tsx'
import { AccountDrawer } from './account-drawer.tsx'
import { StayBody } from './stay-body.tsx'

/** One person at this project: whether work is allowed, and why not. */
export default function StayPage() {
  const query = usePageQuery()
  const id = query.get('id') ?? ''
  // Some links have only the id of the stay.
  const requested = query.get('workerId') ?? id
  const go = useGo()
  const read = useCall(
    workerDetailInfo,
    { params: { id: requested }, query: { projectWorkerId: id } },
    { quiet: true, staleMs: 15_000, enabled: Boolean(id) },
  )
  const [leaving, setLeaving] = useState(false)
  const [training, setTraining] = useState(false)
  const [account, setAccountOpen] = useState(false)
  const [terms, setTermsOpen] = useState(false)
  const [outcome, setOutcome] = useState<{ result: BatchResult; verb: string }>()
  const [returning, setReturning] = useState(false)
  const tell = (result: BatchResult, verb: string) => (result.failed.length ? setOutcome({ result, verb }) : notify.success(verb))
  const formal = useAct(setFormal, {
    success: false,
    onDone: (result, { body }) => tell(result, body.status === formalStates.formal ? '已转正式' : '已暂停作业'),
  })
  const w = read.data
  const workerId = w?.workerId ?? requested
  const stay = w?.stay
  if (!id) {
    return <NothingChosen title="人员详情" thing="人员" one="一个人" from={{ path: '/personList', name: '人员列表' }} />
  }
  const pause = async () => {
    const reason = await askReason(`暂停 ${w?.name} 作业`, '暂停原因，收回门禁')
    if (reason) await formal.run({ body: { ids: [id], status: formalStates.paused, reason } })
  }
  const here = stay?.stationed === stations.present
  return (
    <DetailShell
      title={w?.name}
      place={stay ? { projectCode: stay.projectCode, corpCode: stay.corpCode } : undefined}
      tags={
        stay && (
          <>
            <StayTag formalStatus={stay.formalStatus} stationed={stay.stationed} full />
            <UploadState objectType="projectWorker" sourceId={stay.id} />
          </>
        )
      }
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/personList"
      facts={
        stay
          ? [
              { label: '工种', value: stay.workTypeName },
              { label: '单位 / 班组', value: [stay.corpName, stay.teamName].filter(Boolean).join(' · ') },
              { label: '进场', value: `${day(stay.entryTime)}（${-(daysUntil(stay.entryTime) ?? 0)} 天）` },
              { label: '本月出勤', value: `${stay.days.filter((d) => d.firstIn).length} 天` },
              { label: '最近通行', value: stay.lastPass?.slice(5, 16) ?? '--' },
            ]
          : []
      }
      actions={
        stay && (
          <>
            {w.otherStays.length > 0 && (
              <Select
                aria-label="本项目的其他在场"
                className="zg-w-220"
                value={id}
                options={[
                  { value: id, label: `${day(stay.entryTime)} 至 ${stay.exitTime ? day(stay.exitTime) : '今'}` },
                  ...w.otherStays.map((s) => ({ value: s.id, label: `${day(s.entryTime)} 至 ${s.exitTime ? day(s.exitTime) : '今'}` })),
                ]}
                onChange={(next) => go('/personListDetails', { id: next, workerId }, { replace: true })}
              />
            )}
            {here && stay.formalStatus !== formalStates.formal && (
              <Can call={setFormal}>
                <Button
                  type="primary"
                  loading={formal.running}
                  onClick={() => void formal.run({ body: { ids: [id], status: formalStates.formal } })}
                >
                  {stay.formalStatus === formalStates.paused ? '恢复作业' : '转正式'}
                </Button>
              </Can>
            )}
            {!here && w.otherStays.every((s) => s.exitTime) && (
              <Can call={enterWorker}>
                <Button type="primary" onClick={() => setReturning(true)}>
                  再次进场
                </Button>
              </Can>
            )}
            <MoreMenu
              items={[
                { label: '一人一档', href: hrefOf('/personnelSystem/info/basic', { id: workerId }) },
                ...(!isHeld(w.hold) ? [] : [{ label: '编辑档案', href: hrefOf('/personListEdit', { id: workerId }), needs: updateWorker }]),
                ...(here
                  ? [
                      { label: '登记教育', needs: trainWorkers, onClick: () => setTraining(true) },
                      { label: '设置用工信息', needs: setTerms, onClick: () => setTermsOpen(true) },
                      { label: '设置工资卡', needs: setAccount, onClick: () => setAccountOpen(true) },
                      ...(stay.formalStatus === formalStates.formal
                        ? [{ label: '暂停作业', needs: setFormal, onClick: () => void pause() }]
                        : []),
                      { label: '退场', danger: true, needs: exitWorkers, onClick: () => setLeaving(true) },
                    ]
                  : []),
              ]}
            />
          </>
        )
      }
    >
      {w && stay && (
        <StayBody
          w={w}
          stay={stay}
          onTrain={() => setTraining(true)}
          onAccount={() => setAccountOpen(true)}
          onTerms={() => setTermsOpen(true)}
        />
      )}
      {leaving && stay && (
        <ExitDialog people={[{ id, name: w.name, teamName: stay.teamName }]} onClose={() => setLeaving(false)} onDone={() => undefined} />
      )}
      {training && w && (
        <TrainDrawer people={[{ id, name: w.name }]} onClose={() => setTraining(false)} onDone={(result) => tell(result, '已登记教育')} />
      )}
      {returning && stay && <ReturnDrawer stay={{ ...stay, name: w.name }} onClose={() => setReturning(false)} />}
      {outcome && <Outcome {...outcome} onClose={() => setOutcome(undefined)} />}
      {terms && stay && (
        <TermsDrawer
          people={[{ id, name: w.name }]}
          initial={{
            paymentType: stay.paymentType,
            unitPriceCents: stay.unitPriceCents,
            hasBuyInsurance: stay.hasBuyInsurance,
          }}
          onClose={() => setTermsOpen(false)}
          onDone={(result) => tell(result, '用工信息已设置')}
        />
      )}
      {account && stay && <AccountDrawer id={id} name={w.name} stay={stay} onClose={() => setAccountOpen(false)} />}
    </DetailShell>
  )
}
