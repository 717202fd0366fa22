import { WarningFilled } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import type { RectifyDetail, RectifyLine } from '@zhugong/contract/rectify/calls'
import { Link } from 'react-router'
import { Card, Tag } from '#kit/feedback.tsx'
import { Voices } from '#kit/field/voice-notes.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { LinePlans } from '../places/public.tsx'
import { pageOfNotice } from './rectify-words.tsx'
import './rectify.css'

const states = {
  open: { label: '待整改', tone: 'warning' },
  answered: { label: '已回复', tone: 'running' },
  passed: { label: '已闭合', tone: 'fine' },
} as const

/** Every problem with what was demanded, and its answers round by round: before and after side by side. */
export function RectifyProblems({ file, children }: { file: RectifyDetail; children?: (line: RectifyLine) => React.ReactNode }) {
  return (
    <>
      <LinePlans plans={file.plans} lines={file.lines.map((line) => ({ ...line, closed: line.state === 'passed' }))} />
      {file.lines.map((line) => (
        <Card
          key={line.id}
          title={`${line.seq}. ${line.part}`}
          remark={line.person ? `整改人 ${line.person}` : undefined}
          actions={
            <>
              {line.personLeft && line.state === 'open' && <Tag tone="danger">整改人已离场</Tag>}
              <Tag tone={states[line.state].tone}>{states[line.state].label}</Tag>
            </>
          }
        >
          <div className="rectify-sides">
            <Demand line={line} />
            <Answers line={line} />
          </div>
          {children?.(line)}
        </Card>
      ))}
    </>
  )
}

function Demand({ line }: { line: RectifyLine }) {
  return (
    <div>
      <p>{line.description}</p>
      <Voices voices={line.voices} />
      {line.placeName && <p className="zg-2">位置：{line.placeName}</p>}
      <p className="zg-2">要求：{line.requirement}</p>
      {line.clause && <p className="zg-2">依据：{line.clause}</p>}
      <Photos photos={line.photos} notes={line.photoNotes} name="整改前" />
      <EarlierHere line={line} />
    </div>
  )
}

/** What was found at the place of a problem before: a sign that mending it once more is not enough. */
function EarlierHere({ line }: { line: RectifyLine }) {
  const gov = useGroupType() === groupTypes.government
  if (line.earlier.length === 0) return null
  return (
    <details className="rectify-earlier">
      <summary>此处以前的问题（{line.earlier.length}）</summary>
      <ul>
        {line.earlier.map((one) => (
          <li key={one.id + one.text}>
            <Link to={hrefOf(...pageOfNotice(one, gov))}>{one.text}</Link>
            <span className="zg-2">
              {' '}
              {one.at} · {one.stateName}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Answers({ line }: { line: RectifyLine }) {
  if (line.answers.length === 0) return <p className="zg-2">尚未回复</p>
  return (
    <div>
      {[...line.answers].reverse().map((one) => (
        <div key={one.round} className="rectify-answer">
          <p>
            <Tag icon={false}>
              第 {one.round} 轮{one.draft ? '，未提交' : ''}
            </Tag>{' '}
            {one.measure || <span className="zg-2">未填措施</span>}
          </p>
          <Photos photos={one.photos} notes={one.photoNotes} name="整改后" />
          <small className="zg-2">
            {one.byName} {one.at.slice(5, 16)}
            {one.doneDate && ` · 完成 ${one.doneDate}`}
          </small>
          <Verdict who="监理" passed={one.reviewPassed} opinion={one.reviewOpinion} />
          <Verdict who="复查" passed={one.recheckPassed} opinion={one.recheckOpinion} />
        </div>
      ))}
    </div>
  )
}

function Verdict({ who, passed, opinion }: { who: string; passed: boolean | null; opinion: string | null }) {
  if (passed === null) return null
  return (
    <p>
      <Tag tone={passed ? 'fine' : 'danger'}>
        {who}
        {passed ? '通过' : '不通过'}
      </Tag>{' '}
      {opinion}
    </p>
  )
}

const sizes = { usual: [120, 90], large: [240, 180] } as const
/** Pictures that open the viewer. */
interface PhotosProps {
  photos: readonly string[]
  /** What contradicts each photograph, as the server found it; shown to everybody who judges by it. */
  notes?: readonly (string | null)[]
  name: string
  large?: boolean
}

export function Photos({ photos, notes = [], name, large = false }: PhotosProps) {
  const [width, height] = sizes[large ? 'large' : 'usual']
  if (photos.length === 0) return null
  return (
    <div className="zg-row zg-wrap zg-gap-6">
      {photos.map((src, i) => (
        <figure key={src} className={large ? 'rectify-photo rectify-large' : 'rectify-photo'}>
          <Thumb src={src} name={name} width={width} height={height} />
          {notes[i] && (
            <figcaption className="tone-danger">
              <WarningFilled /> {notes[i]}
            </figcaption>
          )}
        </figure>
      ))}
    </div>
  )
}
