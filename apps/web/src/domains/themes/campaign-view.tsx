import { EditOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import {
  type CampaignDetail,
  changeThemeCampaign,
  createThemeCheck,
  getThemeCampaign,
  removeThemeCampaign,
} from '@zhugong/contract/themes/calls'
import { campaignStates } from '@zhugong/contract/themes/moves'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, Timeline, WorkItem } from '#kit/work-item.tsx'
import { StateTag } from '../checks/public.tsx'
import { Report } from './report-card.tsx'
import { anyProject, CampaignTag, ObjectTag, paths } from './theme-words.tsx'
import './themes.css'

interface PartProps {
  file: CampaignDetail
}

/** A campaign: its objects, problems and checks, the report, and what keeps it from being closed. */
export function CampaignView({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const read = useCall(getThemeCampaign, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('checksPReport')
  const file = read.data
  const isDraft = file?.state === campaignStates.draft
  return (
    <WorkItem
      title={file?.title}
      tags={file && <CampaignTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '主题', value: file.themeName },
              { label: '起止', value: `${file.startDate} 至 ${file.endDate}`, tone: file.overdueDays ? 'danger' : undefined },
              { label: '已检对象', value: `${file.checkedCount} / ${file.objectCount}` },
              { label: '问题', value: `${file.problemCount} 个，未闭合 ${file.openCount}` },
            ]
          : []
      }
      actions={
        file && (
          <>
            {file.state === campaignStates.running && (
              <Can call={createThemeCheck} at={{ projectCode: file.projectCode }}>
                <Button type="primary" onClick={() => go(paths.form, { campaign: id })}>
                  继续检查
                </Button>
              </Can>
            )}
            {!isDraft && (
              <Button
                icon={<PrinterOutlined />}
                loading={print.running}
                onClick={() => void print.run({ body: { feature: 'checksPReport', exportType: 'pdf', query: { id } } })}
              >
                打印总结
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
            <Acts file={file} />
            <Timeline
              steps={file.timeline.map((one) => ({
                id: one.id,
                time: one.at,
                icon: one.action === 'start' ? <SendOutlined /> : <EditOutlined />,
                color: one.action === 'start' ? colors.primary : colors.text2,
                title: one.label,
                lines: [
                  { text: `${one.byName} · ${one.groupName}`, bad: false },
                  ...(one.opinion ? [{ text: one.opinion, bad: false }] : []),
                ],
              }))}
            />
          </>
        )
      }
    >
      {file && (
        <>
          {file.overdueDays > 0 && <Notice tone="danger">已超过截止日期 {file.overdueDays} 天。</Notice>}
          <Objects file={file} />
          <Problems file={file} />
          <Checks file={file} />
          {!isDraft && <Report key={file.version} file={file} />}
          <Facts file={file} />
        </>
      )}
    </WorkItem>
  )
}

function Acts({ file }: PartProps) {
  const page = usePage()
  const go = useGo()
  const act = useAct(changeThemeCampaign, { success: '已办理' })
  const removal = useAct(removeThemeCampaign, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const target = { params: { id: file.id }, query: anyProject }
  const closing = { thing: `关闭“${file.title}”`, consequence: '关闭后不能再登记检查，总结不能再修改。', verb: '关闭' }
  const filing = { thing: `归档“${file.title}”`, consequence: '归档后只供查阅。', verb: '归档' }
  const actions = [
    ...(may('start')
      ? [
          { label: '继续填写', main: true, run: () => go(paths.form, { id: file.id }) },
          {
            label: '删除草稿',
            danger: true,
            run: () => removal.afterRequesting({ thing: `删除“${file.title}”`, consequence: '草稿不再保留。', verb: '删除草稿' }, target),
          },
        ]
      : []),
    ...(may('close')
      ? [
          {
            label: '关闭',
            main: true,
            run: () => act.afterRequesting(closing, { ...target, body: { action: 'close' as const, version: file.version } }),
          },
        ]
      : []),
    ...(may('archive')
      ? [
          {
            label: '归档',
            main: true,
            run: () => act.afterRequesting(filing, { ...target, body: { action: 'archive' as const, version: file.version } }),
          },
        ]
      : []),
  ]
  const none = file.hindrance ? `${file.hindrance}，暂不能关闭` : '没有待您办理的事项'
  return <Handling actions={actions} busy={act.running || removal.running} none={none} />
}

/** Every object with how far it is, by register. */
function Objects({ file }: PartProps) {
  const added = file.objects.filter((one) => one.added && one.state === 'unchecked').length
  return (
    <Card
      title="检查对象"
      remark={`已检 ${file.checkedCount} / ${file.objectCount}${added > 0 ? `，台账新增未检 ${added} 个` : ''}；点对象看最近一次检查`}
    >
      {file.objects.length === 0 && <Empty small text="没有检查对象" hint="发起时按台账列出" />}
      {[...Map.groupBy(file.objects, (one) => one.registerName)].map(([register, objects]) => (
        <section key={register} aria-label={register}>
          <p className="zg-2">
            {register} {objects.length} 个
          </p>
          <ul className="theme-objects">
            {objects.map((one) => (
              <li key={one.key} className="theme-object" data-state={one.state}>
                {one.checkId ? <Link to={hrefOf(paths.detail, { check: one.checkId })}>{one.name}</Link> : <span>{one.name}</span>}
                <span>
                  <ObjectTag row={one} />
                </span>
                <small className="zg-2">
                  {one.checkTime?.slice(0, 16)}
                  {one.problemCount > 0 && ` 问题 ${one.problemCount}，未闭合 ${one.openCount}`}
                </small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

function Problems({ file }: PartProps) {
  return (
    <Card title="问题" remark={file.problems.length > 0 ? `${file.problemCount} 个，未闭合 ${file.openCount} 个` : undefined}>
      {file.problems.length === 0 ? (
        <Empty small text="没有发现问题" />
      ) : (
        <ul className="theme-lines">
          {file.problems.map((one) => (
            <li key={one.id}>
              <div className="zg-row zg-wrap zg-gap-6">
                <Link to={hrefOf(paths.detail, { check: one.checkId })}>
                  <b>{one.part}</b>
                </Link>
                {one.notice && (
                  <span className="zg-end">
                    <Tag tone={one.notice.passed ? 'fine' : 'warning'}>{one.notice.passed ? '已闭合' : one.notice.stateName}</Tag>{' '}
                    <Link to={hrefOf('/safetyP/abarbeitung/details', { id: one.notice.id })}>{one.notice.code ?? '整改单'}</Link>
                  </span>
                )}
              </div>
              <p>{one.description}</p>
              <p className="zg-2">
                {one.corpName}
                {one.person && ` · ${one.person}`} · 期限 {one.deadline} · 要求：{one.requirement}
              </p>
              <div className="zg-row zg-wrap zg-gap-6">
                {one.photos.map((src) => (
                  <Thumb key={src} src={src} name={one.part} width={96} height={72} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Checks({ file }: PartProps) {
  if (file.checks.length === 0) return null
  return (
    <Card title="检查登记" remark={`${file.checks.length} 次`}>
      <ul className="theme-lines">
        {file.checks.map((one) => (
          <li key={one.id} className="zg-row zg-wrap zg-gap-6">
            <Link to={hrefOf(paths.detail, { check: one.id })}>{one.code ?? '草稿'}</Link>
            <span>{one.checkTime.slice(0, 16)}</span>
            <span className="zg-2">{one.checkers.join('、')}</span>
            <span className="zg-end">
              {one.objectCount} 个对象，{one.problemCount} 个问题 <StateTag row={one} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Facts({ file }: PartProps) {
  return (
    <Card title="专项" remark={`${file.points.length} 条要点`}>
      <Pairs
        items={[
          { label: '组织方式', value: file.orderedByName },
          { label: '组织单位', value: file.leaderGroupName },
          { label: '依据文件', value: file.basis },
          {
            label: '监管通知书',
            value: file.notice && (
              <Link to={hrefOf('/safetySupervisionRectification/details', { id: file.notice.id })}>{file.notice.code ?? '通知书'}</Link>
            ),
          },
          { label: '检查人', value: file.persons.join('、'), wide: true },
        ]}
      />
      <ol className="theme-lines">
        {file.points.map((one) => (
          <li key={one.code}>
            {one.name} <span className="zg-2">{one.requirement}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
