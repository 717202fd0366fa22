import { draftLog } from '@zhugong/contract/daylogs/moves'
import { changeOwnLog, getOwnLog, removeOwnLog } from '@zhugong/contract/daylogs/own-log'
import { changeSafetyLog, getSafetyLog, listSafetyLogs } from '@zhugong/contract/daylogs/safety-log'
import { Button } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ItemAction } from '#kit/work-item.tsx'
import { LogFile } from './log-file.tsx'
import { anyProject, supervisePaths } from './log-words.tsx'
import { Neighbours } from './neighbours.tsx'
import './daylogs.css'

/** One day in one page: `?id=` a log of the own institution, `?site=` that of a site, `?project=&day=` that of a site by its day. */
export default function SuperviseDetailPage() {
  const query = usePageQuery()
  const go = useGo()
  const [own, site, project, date] = ['id', 'site', 'project', 'day'].map((name) => query.get(name))
  return (
    <div className="zg-page zg-scrolls">
      {own ? (
        <OwnLog key={own} id={own} />
      ) : site ? (
        <SiteLog key={site} id={site} />
      ) : project && date ? (
        <OfDay key={`${project}${date}`} projectCode={project} date={date} />
      ) : (
        <PageShell>
          <Empty text="未选择日志" hint="从安全日志打开一篇">
            <Button onClick={() => go(supervisePaths.list)}>去安全日志</Button>
          </Empty>
        </PageShell>
      )}
    </div>
  )
}

function OfDay({ projectCode, date }: { projectCode: string; date: string }) {
  const read = useCall(
    listSafetyLogs,
    { query: { projectCode, day: `${date},${date}`, tab: 'written', page: 1, size: 1 } },
    { quiet: true, staleMs: 0 },
  )
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const found = read.data.list[0]
  if (!found)
    return (
      <PageShell>
        <Empty text={`${date} 没有安全日志`} hint="停工与开工前不要求填写" />
      </PageShell>
    )
  return <SiteLog id={found.id} />
}

/** An order from a log: by the chain of an authority, or by that of a company or 监理. */
function useOrder(file: { id: string; projectCode: string | null; day: string; parts: string } | undefined): ItemAction[] {
  const go = useGo()
  const government = useGroupType() === 1
  if (!file?.projectCode) return []
  const page = government ? '/safetySupervisionRectification/edit' : '/safetyP/abarbeitung/create'
  const about = `${file.day} 安全日志：${file.parts}`.slice(0, 200)
  return [
    {
      label: '转整改',
      run: () => go(page, { project: file.projectCode ?? '', sourceKind: 'safetyPLog', sourceId: file.id, about, part: '见日志' }),
    },
  ]
}

function SiteLog({ id }: { id: string }) {
  const read = useCall(getSafetyLog, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const act = useAct(changeSafetyLog, { success: '已办理' })
  const file = read.data
  const order = useOrder(file)
  const may = file?.actions.some((one) => one.action === 'comment') ?? false
  return (
    <LogFile
      file={file}
      error={read.error}
      retry={read.refetch}
      noun="安全日志"
      sheet="safetyPLogSheet"
      side="reader"
      busy={act.running}
      send={(body) => act.run({ params: { id }, query: anyProject, body: { ...body, version: file?.version ?? 0 } })}
      actions={may ? order : []}
      aside={file && <Neighbours file={file} hrefFor={(other) => hrefOf(supervisePaths.detail, { site: other })} />}
    />
  )
}

function OwnLog({ id }: { id: string }) {
  const go = useGo()
  const page = usePage()
  const read = useCall(getOwnLog, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const act = useAct(changeOwnLog, { success: '已办理' })
  const removal = useAct(removeOwnLog, { success: '草稿已删除', onDone: () => page.leave(supervisePaths.list) })
  const file = read.data
  const may = (action: string) => file?.actions.some((one) => one.action === action) ?? false
  const key = { params: { id }, query: anyProject }
  return (
    <LogFile
      file={file}
      error={read.error}
      retry={read.refetch}
      noun="本单位安全日志"
      sheet="logSheet"
      side={may('comment') ? 'reader' : 'writer'}
      busy={act.running || removal.running}
      send={async (body) => (body.action === 'return' ? undefined : act.run({ ...key, body: { ...body, version: file?.version ?? 0 } }))}
      actions={[
        ...(may('submit') || may('edit')
          ? [{ label: file?.state === draftLog ? '继续填写' : '修改', main: true, run: () => go(supervisePaths.form, { id }) }]
          : []),
        ...(may('save')
          ? [
              {
                label: '删除草稿',
                danger: true,
                run: () =>
                  removal.afterRequesting(
                    { thing: `删除 ${file?.day ?? ''} 的日志草稿`, consequence: '草稿不再保留。', verb: '删除草稿' },
                    key,
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}
