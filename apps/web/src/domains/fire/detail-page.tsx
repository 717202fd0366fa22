import { PrinterOutlined } from '@ant-design/icons'
import { changeFire, type FireDetail, getFire, removeFire, verifyFireDraw } from '@zhugong/contract/fire/calls'
import { fireStates, partKinds } from '@zhugong/contract/fire/moves'
import { buildingUses } from '@zhugong/contract/fire/place-rules'
import { signFire } from '@zhugong/contract/fire/seats'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { ApplyForm } from './apply-form.tsx'
import { AssignDrawer } from './assign-drawer.tsx'
import { type Asked, CaseDrawer } from './case-drawer.tsx'
import { CheckTables } from './check-tables.tsx'
import { anyProject, Deadline, FireTag, LevelTag, paths, VerdictTag } from './fire-words.tsx'
import { useArrive } from './use-arrive.ts'
import './fire.css'

/** The applicant fills in (`?mode=apply`), the assessors check on the site and see the verdict grow, the leader signs. */
export default function FireDetailPage() {
  const query = usePageQuery()
  const go = useGo()
  const id = query.get('id')
  if (query.get('mode') === 'apply') return <ApplyForm key={id ?? 'new'} id={id} />
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择申请" hint="从消防现场评定列表打开一件">
          <Button onClick={() => go(paths.list)}>去消防现场评定</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Case key={id} id={id} />
    </div>
  )
}

type View = 'apply' | 'papers' | 'check' | 'problems' | 'result' | 'course'

function Case({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('fireOpinion')
  const tables = usePrint('fireTables')
  const read = useCall(getFire, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  const file = read.data
  const [chosen, setChosen] = useState<View>()
  const view =
    chosen ?? (file?.state === fireStates.onSite && file.internal ? 'check' : file && file.rounds.length > 0 ? 'result' : 'apply')
  return (
    <WorkItem
      title={file && (file.code ?? `${file.projectName}（${file.stateName}）`)}
      tags={
        file && (
          <>
            <FireTag row={file} />
            {file.special && <Tag tone="warning">特殊建设工程</Tag>}
            {file.submitted && <Tag tone="running">待签发</Tag>}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '申请单位', value: file.applyCorp },
              { label: '办理时限', value: <Deadline row={file} /> },
              { label: '评定人员', value: file.assessors.join('、') },
              { label: '要点目录', value: file.catalogue },
            ]
          : []
      }
      actions={
        file && (
          <>
            {file.rounds.length > 0 && (
              <Button
                icon={<PrinterOutlined />}
                loading={tables.running}
                onClick={() => void tables.run({ body: { feature: 'fireTables', exportType: 'pdf', query: { id } } })}
              >
                检查表
              </Button>
            )}
            {file.rounds.some((one) => one.issuedAt) && (
              <Button
                icon={<PrinterOutlined />}
                loading={print.running}
                onClick={() => void print.run({ body: { feature: 'fireOpinion', exportType: 'pdf', query: { id } } })}
              >
                意见书
              </Button>
            )}
          </>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Acts file={file} onCheck={() => setChosen('check')} />
            <SignaturesCard rows={file.signatures} call={signFire} id={file.id} />
            <Course lines={file.timeline} bad={['refuse', 'terminate', 'sendBack']} />
          </>
        )
      }
    >
      {file && (
        <>
          <Segmented options={viewsOf(file)} value={view} onChange={(next) => setChosen(next)} />
          {view === 'apply' && <Applied file={file} />}
          {view === 'papers' && (
            <Card title="申请材料" remark={`${file.materials.length} 件`}>
              {file.materials.length > 0 ? <Papers files={file.materials} name="申请材料" /> : <Empty small text="没有材料" />}
            </Card>
          )}
          {view === 'check' && <CheckTables file={file} />}
          {view === 'problems' && <Problems file={file} />}
          {view === 'result' && <Result file={file} />}
        </>
      )}
    </WorkItem>
  )
}

function viewsOf(file: FireDetail): { value: View; label: string }[] {
  const open = file.buildRows.reduce((n, one) => n + (one.judged ? one.judged.subsTotal - one.judged.subsDone : 0), 0)
  return [
    { value: 'apply', label: '申请信息' },
    { value: 'papers', label: `申请材料 ${file.materials.length}` },
    { value: 'check', label: open > 0 ? `单体与检查表 ${open}` : '单体与检查表' },
    { value: 'problems', label: `问题 ${file.problems.length}` },
    { value: 'result', label: '结论与意见书' },
  ]
}

function Applied({ file }: { file: FireDetail }) {
  const dicts = useDicts('fireRating', 'fireDanger', 'fireUseProperty', 'structureType', 'firePlace')
  return (
    <>
      {file.noAcceptName && (
        <Notice tone="danger">
          不予受理（{file.noAcceptName}）：{file.noAcceptNote}
        </Notice>
      )}
      {file.paused && <Notice tone="warning">申请人正在补正材料，办理时限停计：{file.pauses.at(-1)?.reason}</Notice>}
      <Card title="基本">
        <Pairs
          items={[
            { label: '业务类型', value: file.kindName },
            { label: '申请类别', value: file.applyTypeName },
            { label: '受理机构', value: file.authorityName },
            { label: '联系人', value: `${file.contact} ${file.tel}` },
            { label: '局部验收', value: file.isPart ? '是' : '否' },
            { label: '重点场所', value: file.firePlaceNames.join('；'), wide: true },
          ]}
        />
      </Card>
      <Card title="设计审查与许可">
        <Pairs
          items={[
            { label: '审查意见书文号', value: file.designReviewNo },
            { label: '审查日期', value: file.designReviewDate },
            { label: '施工许可证号', value: file.licenseNo },
          ]}
        />
      </Card>
      <Card title="单体" remark={`${file.buildRows.length} 个`}>
        <ul className="fire-builds">
          {file.buildRows.map((one) => (
            <li key={one.id}>
              <b>{one.name}</b>
              <span>{buildingUses[one.use]}</span>
              <span className="zg-2">
                {[
                  dicts.name('structureType', one.structureType),
                  `耐火等级 ${dicts.name('fireRating', one.fireRating)}`,
                  `火灾危险性 ${dicts.name('fireDanger', one.danger)}`,
                  dicts.name('fireUseProperty', one.useProperty),
                  `地上 ${one.floorsUp} 层 ${one.areaUp} ㎡`,
                  `地下 ${one.floorsDown} 层 ${one.areaDown} ㎡`,
                  `高 ${one.height} m`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <span className="zg-2">
                {one.placeNames.join('；')} → {one.projects.length} 个项目
              </span>
            </li>
          ))}
        </ul>
      </Card>
      {Object.entries(partKinds).map(([kind, title]) => {
        const rows = file.parts.filter((one) => one.kind === kind)
        return rows.length === 0 ? null : (
          <Card key={kind} title={title}>
            <ul className="fire-builds">
              {rows.map((one) => (
                <li key={`${one.place}${one.content}`}>
                  <b>{one.place}</b>
                  <span>{[one.floor, one.content, one.amount, one.grade && `燃烧性能 ${one.grade}`].filter(Boolean).join(' · ')}</span>
                </li>
              ))}
            </ul>
          </Card>
        )
      })}
      {file.pauses.length > 0 && (
        <Card title="补正停计" remark={`共 ${file.pausedDays} 个工作日`}>
          <ul className="fire-builds">
            {file.pauses.map((one) => (
              <li key={one.from}>
                <span className="zg-num">
                  {one.from} 至 {one.to ?? '今'}
                </span>
                <span>{one.reason}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {file.drawing && <Drawing drawing={file.drawing} internal={file.internal} />}
    </>
  )
}

function Drawing({ drawing, internal }: { drawing: NonNullable<FireDetail['drawing']>; internal: boolean }) {
  const [asked, setAsked] = useState(false)
  const check = useCall(verifyFireDraw, { params: { id: drawing.id }, query: anyProject }, { enabled: asked })
  return (
    <Card
      title="随机抽取"
      actions={
        internal && (
          <Button size="small" loading={check.isFetching} onClick={() => setAsked(true)}>
            复核
          </Button>
        )
      }
    >
      <Pairs
        items={[
          { label: '比例', value: `${drawing.ratio}%` },
          { label: '抽取', value: `${drawing.candidates} 件中抽 ${drawing.drawn} 件` },
          { label: '时间', value: `${drawing.drawnAt.slice(0, 16)} ${drawing.drawnName}` },
          { label: '名单摘要', value: <code>{drawing.listHash.slice(0, 32)}</code>, wide: true },
        ]}
      />
      {check.data && (
        <Notice tone={check.data.agrees ? 'info' : 'danger'}>
          {check.data.agrees ? '按留存的名单和种子重算，结果一致。' : '按留存的名单和种子重算，结果不一致。'}种子{' '}
          {check.data.file.seed?.slice(0, 32)}…
        </Notice>
      )}
    </Card>
  )
}

function Problems({ file }: { file: FireDetail }) {
  if (file.problems.length === 0)
    return (
      <Card title="问题">
        <Empty small text={file.internal ? '没有不符合项' : '评定结果在意见书签发后公布'} />
      </Card>
    )
  return (
    <Card title="问题" remark={`${file.problems.length} 处`}>
      <ul className="fire-problems">
        {file.problems.map((one) => (
          <li key={one.pointId} className={one.round < file.round ? 'fire-past' : undefined}>
            <p>
              <LevelTag level={one.level} /> <b>{one.buildName}</b> {one.subName} › {one.itemCode} {one.itemName}
              <span className="zg-2">
                　{one.checkPart}　第 {one.round} 轮
              </span>
            </p>
            <p>{one.description}</p>
            <p className="zg-2">{one.failing ? '子项不合格，整改后申请复评' : '不影响子项结论，应当整改'}</p>
            {one.photos.length > 0 && <Papers files={one.photos} name="不符合" />}
            {one.proof && (
              <Notice tone="info">
                整改（{one.proof.at.slice(0, 16)}）：{one.proof.note}
                <Papers files={one.proof.files} name="整改" />
              </Notice>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Result({ file }: { file: FireDetail }) {
  const judged = file.buildRows.filter((one) => one.judged !== null)
  return (
    <>
      {file.rounds.length === 0 && (
        <Card title="结论">
          <Empty small text={file.internal ? '评定开始后，结论随要点推定' : '评定结果在意见书签发后公布'} />
        </Card>
      )}
      {file.rounds.toReversed().map((one) => (
        <Card
          key={one.round}
          title={`第 ${one.round} 轮`}
          remark={one.issuedAt ? `${one.issuedAt.slice(0, 16)} ${one.issuedBy} 签发` : '尚未签发，为推定结论'}
          className={one.round < file.round ? 'fire-past' : ''}
        >
          <p>
            <VerdictTag verdict={one.verdict} /> {one.line}
            {one.causes.length > 0 && <span className="zg-2">：{one.causes.join('、')}</span>}
          </p>
          {one.docNo && <p className="zg-num">{one.docNo}</p>}
          {one.opinion && <p>{one.opinion}</p>}
          {one.remark && <Notice tone="warning">不同意见（不影响结论）：{one.remark}</Notice>}
        </Card>
      ))}
      {judged.length > 0 && (
        <Card title="项目与单体" remark="不涉及不参与判定">
          <ul className="fire-matrix">
            {judged.map((build) => (
              <li key={build.id}>
                <b>{build.name}</b>
                <span>
                  {build.judged && <VerdictTag verdict={build.judged.verdict} />} {build.judged?.subsDone} / {build.judged?.subsTotal} 子项
                </span>
                <ul>
                  {build.judged?.projects.map((one) => (
                    <li key={one.code}>
                      <span>{one.name}</span> <VerdictTag verdict={one.verdict} />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function Acts({ file, onCheck }: { file: FireDetail; onCheck: () => void }) {
  const go = useGo()
  const page = usePage()
  const [asked, setAsked] = useState<Asked>()
  const [assigning, setAssigning] = useState(false)
  const act = useAct(changeFire, { success: '已办理' })
  const removal = useAct(removeFire, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const arrive = useArrive(file, onCheck)
  const key = { params: { id: file.id }, query: anyProject }
  const { version } = file
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const plain = (action: 'withdraw' | 'accept' | 'conclude' | 'acceptRecheck', main = true): ItemAction[] =>
    may(action)
      ? [
          {
            label: file.actions.find((one) => one.action === action)?.label ?? '',
            main,
            run: () => act.run({ ...key, body: { action, version } }),
          },
        ]
      : []
  const opens = (action: Asked, main = false): ItemAction[] =>
    may(action) ? [{ label: file.actions.find((one) => one.action === action)?.label ?? '', main, run: () => setAsked(action) }] : []
  const reasoned = (action: 'terminate' | 'sendBack' | 'askPapers', label: string, danger = false): ItemAction[] =>
    may(action)
      ? [
          {
            label: file.actions.find((one) => one.action === action)?.label ?? '',
            danger,
            run: async () => {
              const opinion = await askReason(`${file.projectName} ${label}`, label)
              if (opinion) await act.run({ ...key, body: { action, version, opinion } })
            },
          },
        ]
      : []
  const actions: ItemAction[] = [
    ...(may('submit') ? [{ label: '继续填写', main: true, run: () => go(paths.detail, { id: file.id, mode: 'apply' }) }] : []),
    ...plain('accept'),
    ...plain('acceptRecheck'),
    ...(may('assign') ? [{ label: '派组', main: file.assessors.length === 0, run: () => setAssigning(true) }] : []),
    ...(may('start') ? [{ label: '开始评定', main: true, run: arrive.run }] : []),
    ...plain('conclude'),
    ...opens('issue', true),
    ...opens('givePapers', true),
    ...opens('recheck', true),
    ...opens('refuse'),
    ...opens('postpone'),
    ...reasoned('askPapers', '须补正的材料'),
    ...reasoned('sendBack', '退回原因'),
    ...plain('withdraw', false),
    ...reasoned('terminate', '终止原因', true),
    ...(may('save') && file.state === fireStates.draft
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () =>
              removal.afterRequesting(
                { thing: `删除 ${file.projectName} 的申请草稿`, consequence: '草稿不再保留。', verb: '删除草稿' },
                key,
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Handling
        remark={file.stateName}
        actions={actions}
        busy={act.running || removal.running || arrive.running}
        none={file.mine ? '逐项检查，完成并签名后提交' : `${file.stateName}，现在没有需要您办理的事项`}
      />
      {assigning && <AssignDrawer row={file} onClose={() => setAssigning(false)} />}
      {asked && <CaseDrawer asked={asked} file={file} onClose={() => setAsked(undefined)} />}
    </>
  )
}
