import { SearchOutlined } from '@ant-design/icons'
import { myProjects } from '@zhugong/contract/access/endpoints'
import { listDevices, pickDevices } from '@zhugong/contract/equipment/endpoints'
import { meansName } from '@zhugong/contract/kit/initials'
import { listCorporations } from '@zhugong/contract/organisation/corporations'
import { pickWorkers } from '@zhugong/contract/personnel/people'
import { Modal } from 'antd'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCanAll } from '#kit/can.tsx'
import { useEnter } from '#kit/enter.ts'
import { useMe } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { findMenus } from './find-menus.ts'

interface Found {
  key: string
  group: string
  title: string
  remark: string
  /** Label of what Enter does. */
  does: string
  act: () => void
}

/** Only input with three digits in a row can be a serial number. */
const looksLikeSerial = /\d{3}/

const few = { quiet: true, staleMs: 30_000, keepPrevious: true } as const

/** Ctrl+K search: menus at once, then projects, people and devices. */
export function SearchDialog({
  word,
  onWord,
  onClose,
  onOpen,
}: {
  word: string
  onWord: (word: string) => void
  onClose: () => void
  onOpen: (path: string) => void
}) {
  const { menu } = useMe()
  const enter = useEnter()
  const [at, setAt] = useState(0)
  const requested = useDeferredValue(word.trim())
  const may = useCanAll()
  const list = useRef<HTMLDivElement>(null)
  const enabled = requested.length >= 1
  const query = { query: { page: 1, size: 5, name: requested.slice(0, 50) } }
  const workers = useCall(pickWorkers, query, { ...few, enabled: enabled && may(pickWorkers) })
  const devices = useCall(pickDevices, query, { ...few, enabled: enabled && may(pickDevices) })
  const serials = useCall(
    listDevices,
    { query: { page: 1, size: 5, deviceSn: requested.slice(0, 50) } },
    {
      ...few,
      enabled: looksLikeSerial.test(requested) && may(listDevices),
    },
  )
  const companies = useCall(
    listCorporations,
    { query: { page: 1, size: 5, corpName: requested.slice(0, 50) } },
    { ...few, enabled: enabled && may(listCorporations) },
  )
  const projects = useCall(myProjects, { query: {} }, { ...few, enabled, group: '*' })

  const ofName = enabled ? (devices.data?.list ?? []).slice(0, 5) : []
  const ofSerial = looksLikeSerial.test(requested) ? (serials.data?.list ?? []) : []
  const machines = [...new Map([...ofSerial, ...ofName].map((one) => [one.id, one])).values()]

  const open = (path: string) => () => {
    onClose()
    onOpen(path)
  }
  const found: Found[] = [
    ...findMenus(menu, requested).map((one) => ({
      key: `m${one.path}`,
      group: '菜单',
      title: one.title,
      remark: one.trail,
      does: '打开',
      act: open(one.path),
    })),
    ...(enabled ? (projects.data ?? []) : [])
      .flatMap((area) => area.projects.map((one) => ({ ...one, area: area.name })))
      .filter((one) => meansName(one.name, requested) || one.code === requested)
      .slice(0, 5)
      .map((one) => ({
        key: `p${one.code}`,
        group: '项目',
        title: one.name,
        remark: one.area,
        does: '进入项目',
        act: () => {
          onClose()
          void enter({ projectCode: one.code, projectName: one.name })
        },
      })),
    ...machines.map((one) => ({
      key: `d${one.id}`,
      group: '设备',
      title: one.name,
      remark: one.deviceSn,
      does: '设备详情',
      act: open(hrefOf('/administrationDetails', { id: one.id })),
    })),
    ...(enabled ? (companies.data?.list ?? []) : []).map((one) => ({
      key: `c${one.corpCode}`,
      group: '企业',
      title: one.corpName,
      remark: one.corpCode,
      does: '企业资料',
      act: open(hrefOf('/companySystem/info/basic', { corpCode: one.corpCode })),
    })),
    ...(enabled ? (workers.data?.list ?? []) : []).map((one) => ({
      key: `w${one.projectWorkerId}`,
      group: '人员',
      title: one.name,
      remark: one.teamName ?? '',
      does: '人员档案',
      act: open(hrefOf('/personnelSystem/info/basic', { id: one.workerId })),
    })),
  ]
  const asks = [workers, devices, serials, companies, projects]
  const waiting = enabled && (requested !== word.trim() || asks.some((one) => one.isFetching))
  const failed = enabled && !waiting && asks.some((one) => one.error)
  const chosen = Math.min(at, found.length - 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the chosen row when it changes.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <Modal
      open
      width={560}
      footer={null}
      closable={false}
      onCancel={onClose}
      styles={{ container: { padding: 0 } }}
      style={{ top: 80 }}
      aria-label="搜索"
    >
      <div className="app-search">
        <div className="input">
          <SearchOutlined style={{ fontSize: 16, color: 'var(--primary)' }} />
          <input
            // biome-ignore lint/a11y/noAutofocus: the dialog is opened for typing.
            autoFocus
            value={word}
            maxLength={50}
            placeholder="菜单、项目、企业、人员、设备，可用拼音首字母"
            role="combobox"
            aria-label="搜索菜单、项目、企业、人员、设备"
            aria-expanded={found.length > 0}
            aria-controls="search-results"
            onChange={(event) => {
              onWord(event.target.value)
              setAt(0)
            }}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
                event.preventDefault()
                setAt((chosen + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % Math.max(1, found.length))
              }
              if (event.key === 'Enter' && !event.nativeEvent.isComposing) found[chosen]?.act()
            }}
          />
        </div>
        <div ref={list} id="search-results" role="listbox" aria-label="结果" className="results">
          {found.map((one, index) => (
            <button
              key={one.key}
              type="button"
              role="option"
              aria-selected={index === chosen}
              className="zg-bare result"
              tabIndex={-1}
              onMouseEnter={() => setAt(index)}
              onClick={one.act}
            >
              <span className="group">{found[index - 1]?.group === one.group ? '' : one.group}</span>
              <span>{marked(one.title, requested)}</span>
              <span className="zg-2">{one.remark}</span>
              {index === chosen && <kbd>回车 {one.does}</kbd>}
            </button>
          ))}
          {enabled && found.length === 0 && (
            <div className="zg-state" role="status">
              {waiting ? '正在查找' : failed ? '部分内容查找失败，请稍后再试' : `没有找到“${requested}”`}
            </div>
          )}
          {!enabled && <div className="hint">↑ ↓ 选择，回车打开，Esc 关闭</div>}
        </div>
      </div>
    </Modal>
  )
}

function marked(text: string, word: string): ReactNode {
  const at = text.toLowerCase().indexOf(word.toLowerCase())
  if (!word || at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + word.length)}</mark>
      {text.slice(at + word.length)}
    </>
  )
}
