import { EditOutlined, SendOutlined } from '@ant-design/icons'
import type { PatrolDetail } from '@zhugong/contract/checks/patrol'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { Voices } from '#kit/field/voice-notes.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, Timeline } from '#kit/work-item.tsx'
import { LinePlans } from '../places/public.tsx'
import { Deadline, StateTag } from './security-words.tsx'
import './checks.css'

/* Parts of the page of one patrol, whatever its kind. */

const draftState = '0'

interface DraftProps {
  file: PatrolDetail
  /** The field page. */
  add: string
  busy: boolean
  submit: () => unknown
  remove: () => unknown
}

/** A draft is continued on the field page, or thrown away. */
export function DraftHandling({ file, add, busy, submit, remove }: DraftProps) {
  const go = useGo()
  const actions = file.actions.some((one) => one.action === 'submit')
    ? [
        { label: '提交', main: true, run: submit },
        { label: '继续填写', run: () => go(add, { id: file.id }) },
        { label: '删除草稿', danger: true, run: remove },
      ]
    : []
  return <Handling actions={actions} busy={busy} none="草稿由检查人提交" />
}

/** What is asked before a draft is thrown away. */
export const removalOf = (part: string) => ({
  thing: `删除 ${part} 的检查草稿`,
  consequence: '草稿和其中的照片不再保留。',
  verb: '删除草稿',
})

/** What a problem was when it was written, as it is sent. */
export const writtenProblem = <P extends PatrolDetail['problems'][number]>({
  id: _id,
  seq: _seq,
  dangerLevelName: _level,
  corpName: _corp,
  notice: _notice,
  placeName: _place,
  ...problem
}: P) => problem

/** The notices that the problems became: one for each company and deadline. */
export function Notices({ file, chosen, onChoose }: { file: PatrolDetail; chosen: string | undefined; onChoose: (id: string) => void }) {
  if (file.notices.length === 0)
    return file.state === draftState ? null : <Notice tone="fine">本次检查未发现问题，作为已检查的记录保存。</Notice>
  return (
    <Card title="整改单" remark={file.notices.length > 1 ? '按责任单位和期限分开下发，选择一份办理' : undefined}>
      <div className="check-notices">
        {file.notices.map((one) => (
          <button key={one.id} type="button" aria-pressed={one.id === chosen} onClick={() => onChoose(one.id)}>
            <span>
              {one.code} <StateTag row={one} />
            </span>
            <span className="zg-2">
              {one.corpName} · 闭合 {one.passedCount} / {one.problemCount}
            </span>
            <Deadline row={one} />
          </button>
        ))}
      </div>
    </Card>
  )
}

/** The problems of a draft as written. */
export function Written({ file, more }: { file: PatrolDetail; more?: (id: string) => ReactNode }) {
  if (file.problems.length === 0) return <Empty text="还没有写下问题" hint="点“继续填写”，或者直接提交为无问题" />
  return (
    <>
      <LinePlans plans={file.plans} lines={file.problems.map((one) => ({ ...one, closed: false }))} />
      {file.problems.map((one) => (
        <Card key={one.id} title={`${one.seq}. ${one.part}`} remark={one.person ? `整改人 ${one.person}` : undefined}>
          <p>{one.description}</p>
          <Voices voices={one.voices} />
          {more?.(one.id)}
          {one.placeName && <p className="zg-2">位置：{one.placeName}</p>}
          <p className="zg-2">
            要求：{one.requirement}，{one.corpName}，{one.deadline} 前
          </p>
          <div className="zg-row zg-wrap zg-gap-6">
            {[...one.photos, ...one.mendedPhotos].map((src) => (
              <Thumb key={src} src={src} name={one.description} width={120} height={90} />
            ))}
          </div>
        </Card>
      ))}
    </>
  )
}

export function Facts({ file }: { file: PatrolDetail }) {
  return (
    <Card title="检查">
      <Pairs
        items={[
          { label: '位置', value: file.placeNames.join('、') || null, wide: true },
          { label: '检查类型', value: file.inspectTypeName },
          { label: '检查时间', value: file.checkTime },
          { label: '检查单位', value: file.checkerGroupName },
          { label: '检查人', value: file.checkers.join('、') },
          { label: '受检单位', value: file.corpNames.join('、'), wide: true },
          ...(file.remark ? [{ label: '检查情况', value: file.remark, wide: true }] : []),
        ]}
      />
      {file.photos.length > 0 && (
        <div className="zg-row zg-wrap zg-gap-6">
          {file.photos.map((src) => (
            <Thumb key={src} src={src} name="检查照片" width={120} height={90} />
          ))}
        </div>
      )}
    </Card>
  )
}

export function Course({ file }: { file: PatrolDetail }) {
  return (
    <Timeline
      steps={file.timeline.map((one) => ({
        id: one.id,
        time: one.at,
        icon: one.action === 'submit' ? <SendOutlined /> : <EditOutlined />,
        color: one.action === 'submit' ? colors.primary : colors.text2,
        title: one.label,
        lines: [{ text: `${one.byName} · ${one.groupName}`, bad: false }, ...(one.opinion ? [{ text: one.opinion, bad: false }] : [])],
      }))}
    />
  )
}

export function Earlier({ file, detail }: { file: PatrolDetail; detail: string }) {
  if (file.earlier.length === 0) return null
  return (
    <Card title="该部位以前的问题" remark={`${file.earlier.length} 条`}>
      <ul className="check-lines">
        {file.earlier.map((one) => (
          <li key={one.checkId + one.description}>
            <Link to={hrefOf(detail, { id: one.checkId })}>{one.description}</Link>
            <br />
            <span className="zg-2">{one.checkTime.slice(0, 16)}</span> <Tag icon={false}>{one.stateName}</Tag>
          </li>
        ))}
      </ul>
    </Card>
  )
}
