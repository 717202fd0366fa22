import { createActivity } from '@zhugong/contract/experts/activities'
import { changeDraw, type DrawDetail, freezeDraw, getDraw, halves, verifyDraw } from '@zhugong/contract/experts/draws'
import { type DrawAction, drawCodes } from '@zhugong/contract/experts/moves'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { call, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Hash, useVerification, WitnessCard } from '#kit/draw.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { DrawDrawer } from './draw-drawer.tsx'
import { DrawSeats } from './draw-seats.tsx'
import { DrawStateTag } from './expert-words.tsx'

const anywhere = { projectCode: '*' }

/** One draw: frozen list, witnesses, result with answers, proof. */
export function DrawView({ id, onOpen, onClose }: { id: string; onOpen: (id: string) => void; onClose: () => void }) {
  const read = useCall(getDraw, { params: { id }, query: anywhere }, { quiet: true, staleMs: 0 })
  const [repeating, setRepeating] = useState(false)
  const file = read.data
  if (repeating && file)
    return (
      <DrawDrawer
        repeat={repeatOf(file)}
        onFrozen={(made) => {
          setRepeating(false)
          onOpen(made)
        }}
        onClose={() => setRepeating(false)}
      />
    )
  return (
    <PageDrawer open size={920} title={file ? `${file.code} ${file.title}` : '抽取'} onClose={onClose}>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !file ? (
        <DetailSkeleton />
      ) : (
        <div className="expert-review">
          <Meeting file={file} />
          {file.siblings.length > 0 && (
            <Notice tone="info">
              同一会议的其他抽取：
              {file.siblings.map((one) => (
                <button key={one.id} type="button" className="zg-bare zg-link" onClick={() => onOpen(one.id)}>
                  {one.code}（第 {one.run} 次，{one.stateName}）
                </button>
              ))}
            </Notice>
          )}
          <Proof file={file} />
          {file.actions.some((one) => one.action === 'draw') && <Witnesses file={file} />}
          <Result file={file} />
          <Foot file={file} onRepeat={() => setRepeating(true)} />
          <Course file={file} />
        </div>
      )}
    </PageDrawer>
  )
}

const repeatOf = (file: DrawDetail) => ({
  id: file.id,
  code: file.code,
  projectCode: file.projectCode,
  initial: {
    purpose: file.purpose,
    title: file.title,
    meetingDate: file.meetingDate,
    half: file.half,
    place: file.place,
    overScale: file.overScale,
    hideNames: file.hideNames,
    replyHours: file.replyHours,
    quotas: file.quotas.map(({ specialty, seats }) => ({ specialty, seats })),
    exclusions: [],
  },
})

function Meeting({ file }: { file: DrawDetail }) {
  return (
    <Card title="会议" actions={<DrawStateTag row={file} />}>
      <Pairs
        items={[
          { label: '用途', value: file.purposeName },
          { label: '时间', value: `${file.meetingDate} ${halves[file.half]}` },
          { label: '地点', value: file.place },
          { label: '项目', value: file.projectName ?? '与项目无关' },
          { label: '组织单位', value: file.organiserName },
          { label: '人数', value: file.quotas.map((one) => `${one.name} ${one.seats} / 候选 ${one.candidates}`).join('；') },
          ...(file.reason ? [{ label: `第 ${file.run} 次`, value: file.reason }] : []),
        ]}
      />
      {file.recusals.length > 0 && (
        <p className="zg-2">
          回避 {file.recusals.length} 人：
          {file.recusals.map((one) => `${one.name}（${one.reason}${one.manual ? '，手工' : ''}）`).join('、')}
        </p>
      )}
    </Card>
  )
}

function Proof({ file }: { file: DrawDetail }) {
  const { verify, busy, notice } = useVerification(
    () => call(verifyDraw, { params: { id: file.id }, query: anywhere }),
    `${file.code}.json`,
  )
  return (
    <Card
      title="公正性证明"
      remark="先冻结名单，再承诺种子，见证人报数后抽取；任何人不能指定或更改"
      actions={
        <Button size="small" loading={busy} onClick={() => void verify()}>
          复核抽取
        </Button>
      }
    >
      <Pairs
        items={[
          { label: '名单摘要', value: <Hash text={file.listHash} /> },
          { label: '种子承诺', value: <Hash text={file.commitment} /> },
          { label: '冻结', value: `${file.frozenTime} ${file.frozenBy}，候选 ${file.candidates} 人` },
        ]}
      />
      {notice}
    </Card>
  )
}

const keyOf = (file: DrawDetail) => ({ params: { id: file.id }, query: anywhere })

function Witnesses({ file }: { file: DrawDetail }) {
  const act = useAct(changeDraw, { success: '已抽取' })
  return (
    <WitnessCard
      title="见证与抽取"
      verb="抽取"
      running={act.running}
      problem={Object.values(act.fieldErrors)[0]}
      onDraw={(witnesses) =>
        void act.run({ ...keyOf(file), body: { action: 'draw', version: file.version, witnesses } }, { fieldsShown: true })
      }
    />
  )
}

function Result({ file }: { file: DrawDetail }) {
  if (file.state === drawCodes.frozen || (file.state === drawCodes.cancelled && file.seats?.length === 0)) return null
  if (!file.seats)
    return (
      <Notice tone="info">
        名单已抽取并由专家库通知，{file.meetingDate} 当天公开。已同意 {file.accepted} / {file.wanted} 人。
      </Notice>
    )
  return <DrawSeats file={file} seats={file.seats} />
}

function Foot({ file, onRepeat }: { file: DrawDetail; onRepeat: () => void }) {
  const go = useGo()
  const act = useAct(changeDraw, { success: '已取消' })
  const may = (action: DrawAction) => file.actions.some((one) => one.action === action)
  const cancel = async () => {
    const note = await askReason('取消抽取', '取消原因（保留在记录中）')
    if (note) await act.run({ ...keyOf(file), body: { action: 'cancel', version: file.version, note } })
  }
  return (
    <div className="zg-row zg-gap-8">
      {file.seats && file.accepted > 0 && (file.state === drawCodes.calling || file.state === drawCodes.full) && (
        <Can call={createActivity}>
          <Button onClick={() => go(hrefOf('/person/expert/dailyActivity', { drawId: file.id }))}>新建活动</Button>
        </Can>
      )}
      {may('cancel') && (
        <Button danger loading={act.running} onClick={() => void cancel()}>
          取消抽取
        </Button>
      )}
      {file.state === drawCodes.cancelled && (
        <Can call={freezeDraw}>
          <Button onClick={onRepeat}>重抽</Button>
        </Can>
      )}
    </div>
  )
}

function Course({ file }: { file: DrawDetail }) {
  if (file.timeline.length === 0) return null
  return (
    <Card title="经过" remark={`${file.timeline.length} 步，全部留痕`}>
      <ul className="zg-work-lines">
        {file.timeline.map((one) => (
          <li key={one.id}>
            <span className="zg-2 zg-num">{new Date(one.at + 8 * 3_600_000).toISOString().slice(5, 16).replace('T', ' ')}</span> {one.label}{' '}
            {one.byName}
            {one.opinion && <span className="zg-2"> {one.opinion}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
