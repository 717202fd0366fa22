import { BellOutlined, CloudDownloadOutlined, DownOutlined, QuestionCircleOutlined, SearchOutlined } from '@ant-design/icons'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { listHomeAlerts } from '@zhugong/contract/home/endpoints'
import { logout } from '@zhugong/contract/identity/endpoints'
import { Dropdown, Popover, Tooltip } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call, useCall } from '#kit/call.ts'
import { openExportCentre, useExports } from '#kit/export-state.ts'
import { Empty, ErrorPanel, RiskBadge } from '#kit/feedback.tsx'
import { countCap, isRiskLevel, time } from '#kit/format.ts'
import { useMe } from '#kit/me.ts'
import { loseSession } from '#kit/session.ts'
import { mayLeave } from '#kit/unsaved.ts'

import { ScopeSwitch } from './scope-switch.tsx'

const SearchDialog = lazy(() => import('./search-dialog.tsx').then((file) => ({ default: file.SearchDialog })))
const PasswordDialog = lazy(() => import('#domains/identity/public.tsx').then((file) => ({ default: file.PasswordDialog })))

export interface HeaderProps {
  top: MenuNode | undefined
  onModule: (node: MenuNode) => void
  onOpen: (path: string) => void
}

export function Header({ top, onModule, onOpen }: HeaderProps) {
  const { info, menu, settings } = useMe()
  const [searching, setSearching] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setSearching(true)
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <header className="app-header zg-dark">
      <Link to="/main" className="brand" title="首页">
        <img src={info?.profile.logo || '/logo.svg'} alt="" height="26" />
        <span>{info?.profile.sysName || '筑工'}</span>
      </Link>
      <ScopeSwitch />
      <nav className="modules" aria-label="模块">
        {menu.map((node) => (
          <button
            key={node.id}
            type="button"
            className="zg-bare module"
            {...(node.id === top?.id ? { 'aria-current': true } : {})}
            onClick={() => onModule(node)}
          >
            {node.title}
          </button>
        ))}
      </nav>
      <button type="button" className="zg-bare search" onClick={() => setSearching(true)}>
        <SearchOutlined /> 菜单、人员、设备
        <kbd>Ctrl K</kbd>
      </button>
      <Alerts onOpen={onOpen} />
      <ExportButton />
      {settings?.helpDoc && (
        <Tooltip title="帮助">
          <a href={settings.helpDoc} target="_blank" rel="noreferrer" aria-label="帮助" className="icon">
            <QuestionCircleOutlined />
          </a>
        </Tooltip>
      )}
      <UserMenu onOpen={onOpen} />
      {searching && (
        <Suspense>
          <SearchDialog onClose={() => setSearching(false)} onOpen={onOpen} />
        </Suspense>
      )}
    </header>
  )
}

function ExportButton() {
  const { running } = useExports(true)
  return (
    <Tooltip title={running.length > 0 ? `导出中心，${running.length} 个进行中` : '导出中心'}>
      <button type="button" className="zg-bare icon" aria-label="导出中心" onClick={openExportCentre}>
        <CloudDownloadOutlined />
        {running.length > 0 && <span className="dot" />}
      </button>
    </Tooltip>
  )
}

function Alerts({ onOpen }: { onOpen: (path: string) => void }) {
  const [open, setOpen] = useState(false)
  const { data, error, refetch } = useCall(listHomeAlerts, { query: {} }, { quiet: true, everyMs: 60_000, staleMs: 30_000 })
  const total = data?.total ?? 0
  const list = (
    <div className="app-alerts">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data || data.list.length === 0 ? (
        <Empty small text="没有新消息" />
      ) : (
        data.list.slice(0, 30).map((one) => (
          <div key={one.id} className="item">
            {isRiskLevel(one.level) ? <RiskBadge level={one.level} word={false} /> : <span className="dot" />}
            <div style={{ minWidth: 0 }}>
              <div className="title">{one.title}</div>
              <div className="zg-2" style={{ fontSize: 12 }}>
                {[one.time ? time(one.time, '') : '', one.reason].filter(Boolean).join('，')}
              </div>
            </div>
            {one.link && (
              <button
                type="button"
                className="zg-bare zg-link"
                onClick={() => {
                  setOpen(false)
                  onOpen(one.link)
                }}
              >
                {one.action ?? '查看'}
              </button>
            )}
          </div>
        ))
      )}
      <div className="foot">
        <span className="zg-2">1、2 级告警不能静音</span>
        <Link to="/workbench" onClick={() => setOpen(false)}>
          全部
        </Link>
      </div>
    </div>
  )
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      title={`消息 ${total > 0 ? total : ''}`}
      content={list}
    >
      <button type="button" className="zg-bare icon" aria-label={`消息，${total} 条`}>
        <BellOutlined />
        {total > 0 && <span className="count">{countCap(total)}</span>}
      </button>
    </Popover>
  )
}

function UserMenu({ onOpen }: { onOpen: (path: string) => void }) {
  const { info, groups } = useMe()
  const navigate = useNavigate()
  const [changing, setChanging] = useState(false)
  const role = groups.find((group) => group.id === info?.groupId)?.roleNames[0]
  const leave = async () => {
    if (!(await mayLeave())) return
    // A lost answer must not keep anybody logged in here.
    await call(logout).catch(() => undefined)
    loseSession('logout')
  }
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [
            { key: 'personal', label: '个人设置', onClick: () => onOpen('/system/personal/user') },
            { key: 'password', label: '修改密码', onClick: () => setChanging(true) },
            ...(groups.length > 1 ? [{ key: 'index', label: '切换身份', onClick: () => void navigate('/index') }] : []),
            { type: 'divider' as const },
            { key: 'logout', label: '退出登录', onClick: () => void leave() },
          ],
        }}
      >
        <button type="button" className="zg-bare user" title="用户菜单">
          <span className="avatar" aria-hidden="true">
            {info?.name.slice(0, 1)}
          </span>
          <span className="name">{info?.name}</span>
          {role && <span className="role">{role}</span>}
          <DownOutlined style={{ fontSize: 10 }} />
        </button>
      </Dropdown>
      {(changing || info?.mustChangePassword) && (
        <PasswordDialog forced={info?.mustChangePassword ?? false} onClose={() => setChanging(false)} />
      )}
    </>
  )
}
