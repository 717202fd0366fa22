import {
  CheckOutlined,
  ClockCircleOutlined,
  CloseOutlined,
  EditOutlined,
  ExclamationOutlined,
  RollbackOutlined,
  SendOutlined,
} from '@ant-design/icons'
import { changeCompanyBlack, changeLaborBlack, getCompanyBlack, getLaborBlack } from '@zhugong/contract/labour/black'
import { type BlackMove, blackMoves, blackStates, explainedMoves } from '@zhugong/contract/labour/black-codes'
import type { BlackDetail } from '@zhugong/contract/labour/black-model'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { daysLeft } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Handling, type ItemAction, ItemPhotos, ItemText, Timeline, WorkItem } from '#kit/work-item.tsx'
import { UploadState } from '../docking/public.tsx'
import { BlackSpan, BlackState, stepNames } from './black-words.tsx'
import './black.css'
import './labour.css'

export type BlackKind = 'worker' | 'corp'
const all = { projectCode: '*' }
const looks: Readonly<Record<string, { icon: ReactNode; color: string }>> = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  withdraw: { icon: <RollbackOutlined />, color: colors.text2 },
  decide: { icon: <ExclamationOutlined />, color: colors.danger },
  reject: { icon: <CloseOutlined />, color: colors.text2 },
  appeal: { icon: <ExclamationOutlined />, color: colors.warning },
  uphold: { icon: <CheckOutlined />, color: colors.danger },
  cancel: { icon: <CheckOutlined />, color: colors.fine },
  repair: { icon: <CheckOutlined />, color: colors.fine },
}

/** One black list entry: facts, decisions, period and possible actions. */
export function BlackWork({ kind, id, onClose, onEdit }: { kind: BlackKind; id: string; onClose: () => void; onEdit?: () => void }) {
  const given = { params: { id }, query: all }
  const ofPerson = useCall(getLaborBlack, given, { quiet: true, staleMs: 0, enabled: kind === 'worker' })
  const ofCompany = useCall(getCompanyBlack, given, { quiet: true, staleMs: 0, enabled: kind === 'corp' })
  const read = kind === 'worker' ? ofPerson : ofCompany
  const e = read.data
  return (
    <WorkItem
      title={e?.name}
      tags={
        e && (
          <>
            <BlackState entry={e} />
            {kind === 'worker' && <UploadState objectType="laborBlack" sourceId={e.id} />}
          </>
        )
      }
      facts={
        e
          ? [
              { label: '原因', value: e.reasonTypeName },
              { label: '范围', value: e.scopeName },
              { label: '移出日期', value: `${e.endDate}${e.effective ? `（${daysLeft(e.endDate)}）` : ''}` },
              { label: '拦截', value: `${e.hits} 次`, tone: e.hits ? 'danger' : undefined },
            ]
          : []
      }
      actions={e?.mayEdit && onEdit && <Button onClick={onEdit}>修改</Button>}
      waiting={!e}
      error={read.error}
      retry={read.refetch}
      onClose={onClose}
      side={
        e && (
          <>
            <Decision kind={kind} entry={e} onDone={() => void read.refetch()} />
            {e.full && <Course entry={e} />}
          </>
        )
      }
    >
      {e && <Facts kind={kind} entry={e} />}
    </WorkItem>
  )
}

function Course({ entry }: { entry: BlackDetail }) {
  return (
    <Timeline
      steps={entry.log.map((l) => ({
        id: l.id,
        time: l.time,
        icon: looks[l.action]?.icon ?? <EditOutlined />,
        color: looks[l.action]?.color ?? colors.text2,
        title: stepNames[l.action] ?? l.action,
        lines: [
          { text: [l.byName, l.groupName].filter(Boolean).join(' · '), bad: false },
          ...(l.opinion ? [{ text: l.opinion, bad: false }] : []),
          ...(l.files.length ? [{ text: `附件 ${l.files.length} 个`, bad: false }] : []),
        ],
      }))}
      next={
        entry.effective && (
          <li>
            <time>{entry.endDate.slice(5)}</time>
            <i className="to-come">
              <ClockCircleOutlined />
            </i>
            <div>
              <b>到期自动移出</b>
              <span>{daysLeft(entry.endDate)}</span>
            </div>
          </li>
        )
      }
    />
  )
}

function Facts({ kind, entry: e }: { kind: BlackKind; entry: BlackDetail }) {
  return (
    <>
      {!e.full && <Notice tone="info">本条由其他单位提出，这里只显示原因、期限和认定单位；事实和材料由提出、认定单位掌握。</Notice>}
      <Card title="事实">
        <Pairs
          items={[
            ...(kind === 'worker'
              ? [{ label: '证件号码', value: e.idCardNumber }]
              : [
                  { label: '统一社会信用代码', value: e.corpCode },
                  { label: '文号', value: e.docNo },
                  { label: '认定机关', value: e.decideOrg },
                ]),
            { label: '发生日期', value: e.occurrenceDate },
            { label: '来源项目', value: e.sourceProjectName },
            { label: '提出单位', value: e.groupName },
            { label: '认定单位', value: e.issuer },
            ...(kind === 'worker'
              ? [
                  { label: '告知当事人', value: e.notifiedTime },
                  { label: '申辩截止', value: e.answerUntil },
                ]
              : []),
            { label: '期限', value: <BlackSpan entry={e} /> },
            ...(e.reason ? [{ label: '说明', value: e.reason, wide: true }] : []),
          ]}
        />
        {e.files.length > 0 && (
          <p className="zg-row zg-gap-12 zg-wrap">
            {e.files.map((file, i) => (
              <a key={file} href={file} target="_blank" rel="noreferrer">
                依据材料 {i + 1}
              </a>
            ))}
          </p>
        )}
        {e.workerId && <Link to={hrefOf('/personnelSystem/info/bad', { id: e.workerId })}>看人员档案</Link>}
        {kind === 'corp' && e.corpCode && <Link to={hrefOf('/companySystem/info/basic', { corpCode: e.corpCode })}>看企业档案</Link>}
      </Card>
      <Card title={e.effective ? '拦截这些项目' : '认定后拦截这些项目'} remark={`${e.projects.length} 个，红色为现在在场`}>
        {e.projects.length === 0 ? (
          <Empty small text="您看到的项目都不在范围内" />
        ) : (
          <div className="lab-chips">
            {e.projects.map((p) => (
              <span key={p.projectCode} className={p.inPlace ? 'here' : ''}>
                {p.name}
                {p.inPlace && '（在场）'}
              </span>
            ))}
          </div>
        )}
      </Card>
      <Card title="拦截记录" remark={e.refusals.length ? `最近 ${e.refusals.length} 条` : undefined} flush>
        {e.refusals.length === 0 ? (
          <Empty small text="列入以来没有进场或通行" />
        ) : (
          <table className="corp-parts">
            <thead>
              <tr>
                <th>时间</th>
                <th>项目</th>
                <th>方式</th>
                <th>门禁或经办</th>
              </tr>
            </thead>
            <tbody>
              {e.refusals.map((r) => (
                <tr key={`${r.time}${r.way}${r.place}`}>
                  <td className="zg-num zg-nowrap">{r.time}</td>
                  <td>{r.projectName}</td>
                  <td>{r.way}</td>
                  <td>{r.place}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {e.earlier.length + e.badRecords.length > 0 && (
        <Card title="以往记录">
          <ul className="zg-work-lines">
            {e.earlier.map((x) => (
              <li key={x.id}>
                {x.startDate} 至 {x.endDate}：{x.reasonTypeName}（{x.statusName}）
              </li>
            ))}
            {e.badRecords.map((b) => (
              <li key={b.id}>
                {b.occurrenceDate}：不良记录 {b.typeName}
                {b.score !== null && `，扣 ${b.score} 分`}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

/** Actions of the current group, or why there are none. */
function Decision({ kind, entry, onDone }: { kind: BlackKind; entry: BlackDetail; onDone: () => void }) {
  const ofPerson = useAct(changeLaborBlack, { success: '已办理', onDone })
  const ofCompany = useAct(changeCompanyBlack, { success: '已办理', onDone })
  const act = kind === 'worker' ? ofPerson : ofCompany
  const [opinion, setOpinion] = useState('')
  const [files, setFiles] = useState<string[]>([])
  const [endDate, setEnd] = useState<string | undefined>(entry.endDate)
  const send = (action: BlackMove | 'adjust') =>
    act.run({
      params: { id: entry.id },
      query: all,
      body: { action, version: entry.version, opinion: opinion.trim(), files, endDate: action === 'adjust' ? endDate : undefined },
    })
  const actions: ItemAction[] = [
    ...entry.moves.map((move) => ({
      label: blackMoves[move].name,
      main: move === 'submit',
      danger: move === 'decide' || move === 'reject' || move === 'cancel',
      run: () => send(move),
    })),
    ...(entry.mayAdjust && endDate !== entry.endDate ? [{ label: '调整移出日期', run: () => send('adjust') }] : []),
  ]
  const asks = entry.moves.some((move) => explainedMoves.includes(move)) || entry.mayAdjust
  return (
    <Handling
      actions={actions}
      busy={act.running}
      none={entry.holdUps.length ? '条件未到，见上' : '现在没有您要办理的'}
      remark={entry.status === blackStates.waiting && entry.waitingDays ? `已等 ${entry.waitingDays} 天` : undefined}
    >
      {entry.holdUps.map((why) => (
        <Notice key={why} tone="warning">
          {why}
        </Notice>
      ))}
      {asks && (
        <div className="zg-work-form">
          <ItemText
            label="意见"
            hint="驳回、申诉、维持、撤销、修复和调整须写明理由"
            value={opinion}
            onChange={setOpinion}
            problem={act.fieldErrors.opinion}
          />
          <ItemPhotos
            label="附件"
            required={entry.moves.includes('repair') || entry.moves.includes('appeal')}
            value={files}
            onChange={setFiles}
            problem={act.fieldErrors.files}
          />
          {entry.mayAdjust && (
            <label htmlFor="black-end" className="zg-label">
              移出日期
              <DayInput id="black-end" min={entry.startDate} value={endDate ?? null} onChange={setEnd} />
            </label>
          )}
        </div>
      )}
      {entry.effective && <p className="zg-2">生效中，申诉期间不停止执行。</p>}
    </Handling>
  )
}
