import { campaignStanding } from '@zhugong/contract/campaigns/checks'
import { changeDayCheck, type DayCheckDetail, getDayCheck } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useMe } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { SignSheet } from '#kit/sign-sheet.tsx'
import { anywhere } from './campaign-acts.ts'
import { CheckTag, marks } from './campaign-words.tsx'
import './campaigns.css'

/** A group on a site: each discipline records its own sheets and signs, the leader sums up. */
export default function CampaignSheetPage() {
  const taskId = usePageQuery().get('taskId') ?? ''
  const go = useGo()
  const taskResult = useCall(
    campaignStanding,
    { params: { taskId }, query: anywhere },
    { quiet: true, staleMs: 0, offline: true, enabled: taskId !== '' },
  )
  const checkId = taskResult.data?.task.checkId ?? ''
  const read = useCall(
    getDayCheck,
    { params: { id: checkId }, query: anywhere },
    { quiet: true, staleMs: 0, offline: true, enabled: checkId !== '' },
  )
  if (!taskId)
    return (
      <PageShell>
        <Empty text="未选择受检项目" hint="从省市检查的待检项目打开">
          <Button onClick={() => go('/jgt/provinces/list')}>去省市检查</Button>
        </Empty>
      </PageShell>
    )
  const error = taskResult.error ?? read.error
  if (error)
    return (
      <PageShell>
        <ErrorPanel error={error} retry={taskResult.error ? taskResult.refetch : read.refetch} />
      </PageShell>
    )
  if (!read.data || !taskResult.data)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  return <Desk taskId={taskId} file={read.data} disciplines={taskResult.data.disciplines} />
}

type Disciplines = readonly { code: string; name: string; sheetCodes: readonly string[]; byName: string | null }[]

interface DeskProps {
  taskId: string
  file: DayCheckDetail
  disciplines: Disciplines
}

function Desk({ taskId, file, disciplines }: DeskProps) {
  const go = useGo()
  const edit = (step?: number) => go('/jgt/daycheck/edit', { id: file.id, step })
  const isRunning = file.state === dayCheckStates.running
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const waits = disciplines.filter((one) => one.byName === null)
  return (
    <PageShell
      title={file.projectName}
      remark={`${file.inspectTypeName} · ${file.campaignGroup ?? ''} · ${file.checkers.join('、')}`}
      actions={
        <>
          <CheckTag row={file} />
          <Button onClick={() => go('/jgt/provinces/project/projectDetails', { taskId })}>项目简报</Button>
        </>
      }
    >
      <div className="campaign-page">
        {file.state === dayCheckStates.planned && (
          <Notice
            tone="info"
            actions={
              may('checkIn') && (
                <Button type="primary" size="large" onClick={() => edit(1)}>
                  签到开始
                </Button>
              )
            }
          >
            计划 {file.plannedDate} 检查，到场签到后开始记录。
          </Notice>
        )}
        {file.state !== dayCheckStates.planned && !isRunning && (
          <Notice tone="fine" actions={<Button onClick={() => go('/jgt/provinces/checkResult', { taskId })}>查看结果</Button>}>
            检查已提交，记录单只读。
          </Notice>
        )}
        <div className="campaign-disciplines">
          {disciplines.map((one) => (
            <Discipline key={one.code} file={file} discipline={one} mayAct={isRunning && may('submitDiscipline')} />
          ))}
        </div>
        <Units file={file} taskId={taskId} />
        {isRunning && may('submit') && (
          <Card title="组长汇总" remark={waits.length > 0 ? `${waits.map((one) => one.name).join('、')}专业未提交` : '各专业均已提交'}>
            <p className="zg-2">检查表以外的问题记入“其他问题”，不计分；期限和停工由组长决定。</p>
            <div className="zg-row zg-gap-8">
              <Button size="large" onClick={() => edit(2)}>
                其他问题
              </Button>
              <Button type="primary" size="large" disabled={waits.length > 0} onClick={() => edit(3)}>
                汇总提交
              </Button>
            </div>
          </Card>
        )}
      </div>
    </PageShell>
  )
}

/** Items judged, and all, of a discipline's sheets over all units. */
function progressOf(file: DayCheckDetail, sheetCodes: readonly string[]): { judged: number; items: number } {
  const mine = file.units
    .flatMap((unit) => unit.sheets)
    .filter((sheet) => sheet.notApplicable === null && sheetCodes.includes(sheet.sheetCode))
    .flatMap((sheet) => sheet.items)
  return { judged: mine.filter((one) => one.result !== itemResults.unchecked).length, items: mine.length }
}

function Discipline({ file, discipline, mayAct }: { file: DayCheckDetail; discipline: Disciplines[number]; mayAct: boolean }) {
  const [signing, setSigning] = useState(false)
  const name = useMe((me) => me.info?.name)
  const done = file.disciplinesDone.find((one) => one.discipline === discipline.code)
  const act = useAct(changeDayCheck, { success: `${discipline.name}专业已提交`, onDone: () => setSigning(false) })
  const { judged, items } = progressOf(file, discipline.sheetCodes)
  const own = discipline.sheetCodes.some((code) => file.writable?.includes(code) ?? true)
  return (
    <Card title={`${discipline.name}专业`} actions={done ? <Tag tone="fine">已提交</Tag> : <Tag tone="warning">未提交</Tag>}>
      {done ? (
        <p>
          {done.byName} <span className="zg-2 zg-num">{done.at}</span>
        </p>
      ) : (
        <>
          <p className="zg-2">
            检查项 {judged} / {items}
            {!own && '，由本组其他成员记录'}
          </p>
          {mayAct && own && (
            <Button size="large" type={judged === items ? 'primary' : undefined} loading={act.running} onClick={() => setSigning(true)}>
              本专业提交
            </Button>
          )}
        </>
      )}
      {signing && (
        <SignSheet
          mode="own"
          title={`${discipline.name}专业提交`}
          saveText="签字提交"
          remark={`签字人 ${name ?? ''}；提交后本专业检查表不能再改`}
          saving={act.running}
          errors={act.fieldErrors}
          onSend={({ image, place }) =>
            act.run(
              {
                params: { id: file.id },
                query: anywhere,
                body: { action: 'submitDiscipline', version: file.version, discipline: discipline.code, signature: image, place },
              },
              { fieldsShown: true },
            )
          }
          onClose={() => setSigning(false)}
        />
      )}
    </Card>
  )
}

/** Every unit with its sheets; the caller's own stand out. */
function Units({ file, taskId }: { file: DayCheckDetail; taskId: string }) {
  return (
    <Card title="单体与检查表" remark="加重的为您负责的检查表" flush>
      <ul className="campaign-units">
        {file.units.map((unit) => (
          <li key={unit.id}>
            <Link to={hrefOf('/jgt/daycheck/momomerCheck', { id: file.id, unit: unit.id, taskId })}>
              <b>{unit.name}</b>
            </Link>
            {unit.done && <Tag tone="fine">完成</Tag>}
            <ul>
              {unit.sheets.map((sheet) => {
                const judged = sheet.items.filter((one) => one.result !== itemResults.unchecked).length
                const wrong = sheet.items.filter((one) => one.result === itemResults.wrong).length
                const own = file.writable?.includes(sheet.sheetCode) ?? true
                return (
                  <li key={sheet.id} className={own ? 'own' : 'zg-2'}>
                    {sheet.name}{' '}
                    {sheet.notApplicable !== null ? (
                      '不涉及'
                    ) : (
                      <span className="zg-num">
                        {judged} / {sheet.items.length}
                      </span>
                    )}
                    {sheet.score !== null && <span className="zg-2"> {marks(sheet.score)} 分</span>}
                    {wrong > 0 && <span className="tone-danger"> 不合格 {wrong}</span>}
                  </li>
                )
              })}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  )
}
