import { CheckOutlined, CloseOutlined, FolderOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import { changeSheet, getSheet, removeSheet, type SheetDetail } from '@zhugong/contract/sheets/calls'
import { personTitles, type SheetAction, type SheetType } from '@zhugong/contract/sheets/moves'
import { signSheet } from '@zhugong/contract/sheets/seats'
import { Button } from 'antd'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { anyProject, paths, SheetStateTag } from './sheet-words.tsx'
import './sheets.css'

/** The paper as it prints: the parties read and sign it, its officers see who has not. */
export default function SheetDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择记录单" hint="从手工检查单列表打开一份">
          <Button onClick={() => go(paths.list)}>去手工检查单</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Sheet key={id} id={id} />
    </div>
  )
}

function Sheet({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('manualsheetPaper')
  const read = useCall(getSheet, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.docTypeName} ${file.code ?? '草稿'}`}
      tags={file && <SheetStateTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '检查日期', value: file.checkDate },
              { label: '监督人员', value: file.officers.join('、') },
              ...(file.waitDays ? [{ label: '等待签字', value: `${file.waitDays} 天`, tone: 'warning' as const }] : []),
            ]
          : []
      }
      actions={
        file && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'manualsheetPaper', exportType: 'pdf', query: { id } } })}
          >
            打印
          </Button>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <SheetHandling file={file} />
            <Notices file={file} />
            <Course lines={file.timeline} looks={looks} bad={['void']} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.voidReason && <Notice tone="warning">已作废：{file.voidReason}。编号保留，不再使用。</Notice>}
          <Paper file={file} />
          <div id={seatsOf(file.id)}>
            <SignaturesCard rows={file.signatures} call={signSheet} id={file.id} />
          </div>
        </>
      )}
    </WorkItem>
  )
}

const seatsOf = (id: string) => `signatures-${id}`

/** What is printed, on the page. */
function Paper({ file }: { file: SheetDetail }) {
  const persons = personTitles[file.docType as SheetType]
  return (
    <section className="sheet-paper" aria-label={file.docTypeName}>
      <h2>{file.docTypeName}</h2>
      <p className="number zg-num">{file.code ?? '草稿，提交时编号'}</p>
      <Pairs
        items={[
          { label: '工程名称', value: file.projectName, wide: true },
          { label: '建设单位', value: file.ownerCorp },
          { label: '施工单位', value: file.contractorCorp },
          { label: '监理单位', value: file.supervisorCorp },
          { label: '监督机构', value: file.groupName },
          { label: '检查日期', value: file.checkDate },
          { label: '形象进度', value: file.progressName },
          { label: '检查部位', value: file.checkPart },
          { label: '处理意见', value: file.opinionName },
          ...(file.meetTime
            ? [
                { label: '约谈时间', value: file.meetTime.slice(0, 16) },
                { label: '约谈地点', value: file.meetPlace },
              ]
            : []),
        ]}
      />
      {persons && file.persons.length > 0 && (
        <>
          <h3>{persons}</h3>
          <table>
            <thead>
              <tr>
                <th>姓名</th>
                <th>单位</th>
                <th>职务</th>
              </tr>
            </thead>
            <tbody>
              {file.persons.map((one) => (
                <tr key={`${one.name}${one.unit ?? ''}`}>
                  <td>{one.name}</td>
                  <td>{one.unit ?? '--'}</td>
                  <td>{one.post ?? '--'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <h3>检查情况</h3>
      <p>{file.content || '--'}</p>
      {file.problems.length > 0 && (
        <>
          <h3>存在问题（{file.problems.length}）</h3>
          <ol>
            {file.problems.map((one) => (
              <li key={one.description}>
                {one.description}
                {one.corpName && <Tag>{one.corpName}</Tag>}
                {one.clause && <div className="zg-2">依据：{one.clause}</div>}
                {one.photos.length > 0 && <Papers files={one.photos} name="问题照片" />}
              </li>
            ))}
          </ol>
        </>
      )}
      <h3>现场照片</h3>
      <Papers files={file.photos} name="现场照片" />
      {file.photoNotes.map((note, at) => note && <Notice key={file.photos[at]} tone="warning">{`照片 ${at + 1}：${note}`}</Notice>)}
      {file.onPaper && (
        <>
          <h3>签字原件</h3>
          <Papers files={file.scans} name="原件" />
        </>
      )}
    </section>
  )
}

function SheetHandling({ file }: { file: SheetDetail }) {
  const go = useGo()
  const page = usePage()
  const act = useAct(changeSheet, { success: '已办理' })
  const removal = useAct(removeSheet, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const key = { params: { id: file.id }, query: anyProject }
  const { version } = file
  const may = (action: SheetAction) => file.actions.some((one) => one.action === action)
  const cancel = async () => {
    const why = await askReason(`作废 ${file.code ?? '草稿'}`, '作废原因（至少 5 个字，编号不再使用）')
    if (why) await act.run({ ...key, body: { action: 'void', version, opinion: why } })
  }
  const drop = () =>
    removal.afterRequesting({ thing: '删除这份草稿', consequence: '所填内容不再保留。', verb: '删除草稿', keep: '留着' }, key)
  const toSeats = () => document.getElementById(seatsOf(file.id))?.scrollIntoView({ block: 'start' })
  const actions: ItemAction[] = [
    ...(file.signatures.some((one) => one.own) ? [{ label: '去签字', main: true, run: toSeats }] : []),
    ...(may('submit') ? [{ label: '提交', main: true, run: () => act.run({ ...key, body: { action: 'submit', version } }) }] : []),
    ...(may('save') ? [{ label: '修改', run: () => go(paths.edit, { id: file.id }) }] : []),
    ...(may('archive') ? [{ label: '归档', main: true, run: () => act.run({ ...key, body: { action: 'archive', version } }) }] : []),
    ...(may('urge') ? [{ label: '催签', run: () => act.run({ ...key, body: { action: 'urge', version } }) }] : []),
    ...(may('void') ? [{ label: '作废', danger: true, run: cancel }] : []),
    ...(file.removable ? [{ label: '删除草稿', danger: true, run: drop }] : []),
  ]
  return (
    <Handling remark={file.waiting} actions={actions} busy={act.running} none={file.waiting}>
      {Object.entries(act.fieldErrors).map(([field, message]) => (
        <Notice key={field} tone="danger">
          {message}
        </Notice>
      ))}
    </Handling>
  )
}

/** Notices made from the sheet; problems are ordered unit by unit. */
function Notices({ file }: { file: SheetDetail }) {
  const go = useGo()
  const mayOrder = useCan('supervision.rectifyIssue') && file.derivable && file.problems.length > 0
  if (file.notices.length === 0 && !mayOrder) return null
  const units = [...new Map(file.problems.map((one) => [one.corpCode, one.corpName])).entries()]
  return (
    <Card title="派生整改" remark={`${file.notices.filter((one) => !one.closed).length} / ${file.notices.length} 未闭合`}>
      <ul className="zg-work-lines">
        {file.notices.map((one) => (
          <li key={one.id}>
            <Link to={hrefOf('/jgt/project/project_detail', { id: one.id })}>{one.code ?? '草稿'}</Link>{' '}
            <Tag tone={one.closed ? 'fine' : 'warning'}>{one.stateName}</Tag>
          </li>
        ))}
      </ul>
      {mayOrder && (
        <div className="zg-row zg-wrap zg-gap-6">
          {units.map(([corpCode, corpName]) => (
            <Button
              key={corpCode ?? ''}
              onClick={() =>
                go('/safetySupervisionRectification/edit', {
                  project: file.projectCode,
                  sourceKind: 'manualsheet',
                  sourceId: file.id,
                  ...(corpCode ? { unit: corpCode } : {}),
                })
              }
            >
              派生整改单{units.length > 1 ? `：${corpName ?? '未定单位'}` : ''}
            </Button>
          ))}
        </div>
      )}
    </Card>
  )
}

const looks: CourseLooks = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  signed: { icon: <CheckOutlined />, color: colors.fine },
  archive: { icon: <FolderOutlined />, color: colors.fine },
  void: { icon: <CloseOutlined />, color: colors.danger },
}
