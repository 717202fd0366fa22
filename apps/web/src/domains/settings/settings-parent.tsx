import { turned } from '@zhugong/contract/kit/enable'
import { switchCorporation } from '@zhugong/contract/organisation/corporations'
import { switchGovernment } from '@zhugong/contract/organisation/governments'
import { getSettingsHead, type ParentKind } from '@zhugong/contract/settings/parents'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCanAll } from '#kit/can.tsx'
import { ChooseFirst } from '#kit/choose-first.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { SwitchButton } from '#kit/enable.tsx'
import { Notice, Tag } from '#kit/feedback.tsx'
import { useGroupType, useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'

interface Tab {
  path: string
  title: string
  /** Permission codes, any of which opens the tab. */
  codes: readonly string[]
}

interface Parent {
  kind: ParentKind
  thing: string
  /** Query parameter with the code of the object. */
  param: 'projectCode' | 'corpCode' | 'govCode' | undefined
  tabs: readonly Tab[]
  /** Rendered above the page, for users who probably want another one. */
  above?: (groupType: number | undefined, code: string) => ReactNode
}

/** Settings of one object with its tabs and their open items; without an object, a choice of the last ten. */
export function SettingsParent({ kind, thing, param, tabs, above }: Parent) {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const may = useCanAll()
  const groupType = useGroupType()
  const chosen = useProjectCode()
  const [name, setName] = useState('')
  const requested = (param && query.get(param)) || (param === 'projectCode' && chosen !== '*' ? chosen : undefined)
  const read = useCall(
    getSettingsHead,
    { query: { kind, ...(param && requested ? { [param]: requested } : {}) } },
    { quiet: true, staleMs: 10_000, keepPrevious: true },
  )
  const head = read.data?.head
  if (read.data && !head) {
    const list = read.data.recent.filter((one) => one.name.includes(name) || one.code.includes(name))
    return (
      <ChooseFirst
        thing={thing}
        why={`最近维护的 ${read.data.recent.length} 个，其余从列表进入`}
        hint={`没有可设置的${thing}`}
        read={{ data: { list }, error: null, refetch: read.refetch }}
        onSearch={setName}
        line={(one) => ({ key: one.code, name: one.name, remark: [one.remark, one.updateTime].filter(Boolean).join(' · ') })}
        verb="设置"
        onChoose={(one) => param && go(page.path, { [param]: one.code })}
      />
    )
  }
  return (
    <DetailShell
      title={head?.title}
      place={head && param === 'projectCode' ? { projectCode: head.code } : undefined}
      loading={!head}
      error={read.error}
      retry={read.refetch}
      tags={
        head && (
          <Tag tone={head.tagTone} icon={false}>
            {head.tag}
          </Tag>
        )
      }
      facts={head?.facts ?? []}
      actions={head && <Switch kind={kind} head={head} />}
      side={tabs.filter((tab) => may(tab.codes)).map(({ path, title }) => ({ path, title, ...head?.counts[path.split('/').at(-1) ?? ''] }))}
    >
      {head && above?.(groupType, head.code)}
      {page.child}
    </DetailShell>
  )
}

/** Enables or disables a company or government body, with the permission. */
function Switch({ kind, head }: { kind: ParentKind; head: { code: string; title: string; enable: string } }) {
  const company = useAct(switchCorporation, { success: '已办理' })
  const government = useAct(switchGovernment, { success: '已办理' })
  if (kind !== 'enterprise' && kind !== 'government') return null
  const status = turned(head.enable)
  return (
    <SwitchButton
      enable={head.enable}
      needs={kind === 'enterprise' ? switchCorporation : switchGovernment}
      question={{ thing: `停用 ${head.title}`, consequence: '其账号不能登录，已有数据保留。', verb: '停用', keep: '保留' }}
      run={() =>
        kind === 'enterprise'
          ? company.run({ body: { corpCode: head.code, status } })
          : government.run({ body: { govCode: head.code, status } })
      }
    />
  )
}

/** A project has two settings pages; links to the one meant for this account. */
export function OtherParent({ to, words, code }: { to: string; words: string; code: string }) {
  return (
    <Notice tone="info" actions={<Link to={hrefOf(to, { projectCode: code })}>前往</Link>}>
      {words}
    </Notice>
  )
}
