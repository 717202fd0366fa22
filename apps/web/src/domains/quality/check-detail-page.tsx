import { PrinterOutlined } from '@ant-design/icons'
import { listPlaces } from '@zhugong/contract/places/places'
import { createImprovement } from '@zhugong/contract/quality/improvement'
import {
  changeQualityCheck,
  createQualityCheck,
  getQualityCheck,
  type QualityDetail,
  removeQualityCheck,
  signQualityCheck,
} from '@zhugong/contract/quality/inspection'
import { getRectify } from '@zhugong/contract/rectify/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useEach } from '#kit/each.ts'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { Choices } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { uid } from '#kit/uid.ts'
import { usePrint } from '#kit/use-print.ts'
import { WorkItem } from '#kit/work-item.tsx'
import {
  Course,
  Deadline,
  DraftHandling,
  Earlier,
  Facts,
  Notices,
  removalOf,
  StateTag,
  Written,
  writtenProblem,
} from '../checks/public.tsx'
import { NoticeHandling, NoticeProblems } from '../rectify/public.tsx'
import { anyProject, ConclusionTag, improvementPaths, checkPaths as paths, ResultTag } from './quality-words.tsx'
import './quality.css'

/** What failed, is it mended, has it been here before? Each notice is handled here. */
export default function QualityDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择质量检查" hint="从质量检查列表打开一次">
          <Button onClick={() => go(paths.list)}>去质量检查列表</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Round key={id} id={id} />
    </div>
  )
}

const draftState = '0'

function Round({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getQualityCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('qualityInspectionSheet')
  const file = read.data
  const [chosen, setChosen] = useState<string>()
  const notice = chosen ?? file?.notices[0]?.id
  // The first notice belongs to what the page shows: without it everything below would move when it arrives.
  const first = useCall(getRectify, { params: { id: notice ?? '' } }, { quiet: true, staleMs: 0, enabled: notice !== undefined })
  const waits = !file || (notice !== undefined && chosen === undefined && first.isPending)
  const isDraft = file?.state === draftState
  return (
    <WorkItem
      title={file && (file.code ?? '质量检查草稿')}
      tags={
        file && (
          <>
            <StateTag row={file} /> <ConclusionTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '部位', value: file.part },
              { label: '检查项', value: file.itemNames.join('、') },
              { label: '期限', value: <Deadline row={file} />, tone: file.overdueDays ? 'danger' : undefined },
              { label: '问题', value: file.problemCount ? `闭合 ${file.passedCount} / ${file.problemCount}` : '未发现' },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'qualityInspectionSheet', exportType: 'pdf', query: { id } } })}
          >
            打印记录表
          </Button>
        )
      }
      waiting={waits}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            {isDraft ? <Draft file={file} /> : notice && <NoticeHandling id={notice} />}
            <Course file={file} />
            <Earlier file={file} detail={paths.detail} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.overdueDays > 0 && <Notice tone="danger">最早的期限已过 {file.overdueDays} 天。</Notice>}
          <Items file={file} />
          <Defects file={file} />
          <Notices file={file} chosen={notice} onChoose={setChosen} />
          {isDraft ? <Written file={file} /> : notice && <NoticeProblems key={notice} id={notice} />}
          {!isDraft && <SignaturesCard rows={file.signatures} call={signQualityCheck} id={file.id} />}
          <Facts file={file} />
          {file.placeId && <OtherRooms file={file} placeId={file.placeId} />}
        </>
      )}
    </WorkItem>
  )
}

function Draft({ file }: { file: QualityDetail }) {
  const page = usePage()
  const submit = useAct(changeQualityCheck, { success: '已提交' })
  const removal = useAct(removeQualityCheck, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const { id, version, part, placeId, remark, photos, checkers } = file
  const items = file.items.map(({ itemCode, result, measured, standard, note }) => ({ itemCode, result, measured, standard, note }))
  const problems = file.problems.map(({ itemName: _item, qualityProblemName: _name, times: _times, ...one }) => writtenProblem({ ...one }))
  const body = { version, part, placeId, remark, photos, checkers, items, problems }
  const key = { params: { id }, query: anyProject }
  return (
    <DraftHandling
      file={file}
      add={paths.add}
      busy={submit.running || removal.running}
      submit={() => submit.run({ ...key, body: { action: 'submit', ...body } })}
      remove={() => removal.afterRequesting(removalOf(part), key)}
    />
  )
}

function Items({ file }: { file: QualityDetail }) {
  const wrong = file.items.filter((one) => one.result === itemResults.wrong).length
  return (
    <Card title="检查项" remark={`${file.items.length} 项，不合格 ${wrong} 项`}>
      <div className="quality-scroll">
        <table className="quality-table">
          <thead>
            <tr>
              <th>分部</th>
              <th>检查项</th>
              <th>结果</th>
              <th>实测值</th>
              <th>设计值与允许偏差</th>
              <th>说明</th>
            </tr>
          </thead>
          <tbody>
            {file.items.map((one) => (
              <tr key={one.itemCode}>
                <td className="zg-2">{one.groupName}</td>
                <td>{one.name}</td>
                <td>
                  <ResultTag row={one} />
                </td>
                <td>{one.measured ?? '--'}</td>
                <td className="zg-2">{one.standard ?? '--'}</td>
                <td className="zg-2">{one.note ?? '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

/** Which defects the problems are, and how often each was here. */
function Defects({ file }: { file: QualityDetail }) {
  const go = useGo()
  if (file.problems.length === 0) return null
  return (
    <Card title="通病" remark="同一部位反复出现时，编制一份改进单">
      <ul className="check-lines">
        {file.problems.map((one) => (
          <li key={one.id} className="zg-row zg-middle zg-wrap zg-gap-6">
            <b>{one.qualityProblemName}</b>
            {one.times > 1 ? <Tag tone="danger">第 {one.times} 次出现</Tag> : <Tag icon={false}>首次</Tag>}
            <span>
              {one.itemName}：{one.description}
            </span>
            {one.measured && (
              <span className="zg-2">
                实测 {one.measured}
                {one.standard && `，允许 ${one.standard}`}
              </span>
            )}
            {file.state !== draftState && (
              <Can call={createImprovement}>
                <Button
                  size="small"
                  onClick={() =>
                    go(improvementPaths.form, {
                      projectCode: file.projectCode,
                      problem: one.qualityProblem,
                      corp: one.corpCode,
                      checks: file.code ?? '',
                    })
                  }
                >
                  生成改进单
                </Button>
              </Can>
            )}
          </li>
        ))}
      </ul>
      {file.improvements.length > 0 && (
        <p>
          已纳入：
          {file.improvements.map((one) => (
            <Link key={one.id} to={hrefOf(improvementPaths.detail, { id: one.id })}>
              {one.code ?? '草稿'} {one.title}（{one.stateName}）
            </Link>
          ))}
        </p>
      )}
    </Card>
  )
}

/** The same items in other rooms of the floor: a draft for each, to be judged there. */
function OtherRooms({ file, placeId }: { file: QualityDetail; placeId: string }) {
  const go = useGo()
  const [rooms, setRooms] = useState<string[]>([])
  const places = useCall(listPlaces, { query: { projectCode: file.projectCode } }, { quiet: true })
  const each = useEach('个房间', () => go(paths.list, { tab: 'own' }))
  const here = places.data?.list.find((one) => one.id === placeId)
  const others = (places.data?.list ?? []).filter((one) => one.parentId === here?.parentId && one.id !== placeId && !one.archived)
  if (here?.kind !== 'room' || others.length === 0) return null
  const items = file.items.map(({ itemCode, standard }) => ({
    itemCode,
    standard,
    result: itemResults.unchecked,
    measured: null,
    note: null,
  }))
  const copy = (place: (typeof others)[number]) =>
    call(createQualityCheck, {
      query: { projectCode: file.projectCode },
      body: { id: uid(), action: 'save', part: place.fullName, placeId: place.id, items, problems: [] },
    })
  return (
    <Can call={createQualityCheck}>
      <Card title="复制到同层其他房间" remark="每个房间一份草稿，检查项相同，结果到现场再填">
        <div className="zg-row zg-gap-6">
          <Choices
            aria-label="房间"
            placeholder="选择房间"
            options={others.map((one) => ({ value: one.id, label: one.name }))}
            value={rooms}
            onChange={(next) => setRooms(next ?? [])}
          />
          <Button
            loading={each.running}
            disabled={rooms.length === 0}
            onClick={() =>
              void each.run(
                others.filter((one) => rooms.includes(one.id)),
                '复制',
                copy,
              )
            }
          >
            复制
          </Button>
        </div>
      </Card>
    </Can>
  )
}
