import { BellOutlined, CloudDownloadOutlined, DownOutlined, QuestionCircleOutlined, SearchOutlined } from '@ant-design/icons'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { logout } from '@zhugong/contract/identity/endpoints'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '#kit/call.ts'
import { openExportCentre, useExports } from '#kit/export-state.ts'
import { FloatingHint, FloatingMenu } from '#kit/floating.tsx'
import { useMe } from '#kit/me.ts'
import { loseSession } from '#kit/session.ts'
import { mayLeave } from '#kit/unsaved.ts'
import { ModulesBar } from './modules-bar.tsx'
import { ScopeSwitch } from './scope-switch.tsx'

// The bell is loaded after the shell is rendered.
const Alerts = lazy(() => import('./alerts.tsx').then((file) => ({ default: file.Alerts })))
const OutboxButton = lazy(() => import('#kit/field/outbox-button.tsx').then((file) => ({ default: file.OutboxButton })))
const DutyButton = lazy(() => import('#domains/tracks/public.tsx').then((file) => ({ default: file.DutyButton })))
const SearchDialog = lazy(() => import('./search-dialog.tsx').then((file) => ({ default: file.SearchDialog })))
const ContactDialog = lazy(() => import('#domains/identity/public.tsx').then((file) => ({ default: file.ContactDialog })))
const PasswordDialog = lazy(() => import('#domains/identity/public.tsx').then((file) => ({ default: file.PasswordDialog })))

export interface HeaderProps {
  top: MenuNode | undefined
  onModule: (node: MenuNode) => void
  onOpen: (path: string) => void
}

export function Header({ top, onModule, onOpen }: HeaderProps) {
  const { info, menu, settings } = useMe()
  const help = info?.help
  const helpDoc = help?.helpDoc || settings?.helpDoc
  const [word, setWord] = useSearchWord()
  return (
    <header className="app-header zg-dark">
      <Link to="/main" className="brand" title="首页">
        <img src={info?.profile.logo || '/logo.svg'} alt="" height="26" />
        <span>{info?.profile.sysName || '筑工'}</span>
      </Link>
      <ScopeSwitch />
      <ModulesBar menu={menu} top={top} onModule={onModule} />
      <button type="button" className="zg-bare search" onClick={() => setWord('')}>
        <SearchOutlined /> 菜单、人员、设备
        <kbd>Ctrl K</kbd>
      </button>
      <Suspense>
        <OutboxButton />
      </Suspense>
      <Suspense>
        <DutyButton />
      </Suspense>
      <Suspense
        fallback={
          <span className="icon" aria-hidden="true">
            <BellOutlined />
          </span>
        }
      >
        <Alerts onOpen={onOpen} />
      </Suspense>
      <ExportButton />
      {helpDoc && (
        <FloatingHint
          title={['帮助', help?.contact, help?.servicePhone, help?.dutyPhone && `值班 ${help.dutyPhone}`].filter(Boolean).join(' ')}
        >
          <a href={helpDoc} target="_blank" rel="noreferrer" aria-label="帮助" className="icon">
            <QuestionCircleOutlined />
          </a>
        </FloatingHint>
      )}
      <UserMenu />
      {word !== undefined && (
        <Suspense>
          <SearchDialog word={word} onWord={setWord} onClose={() => setWord(undefined)} onOpen={onOpen} />
        </Suspense>
      )}
    </header>
  )
}

/** Text of the search; undefined while it is closed. Ctrl+K opens it; keys typed before its field has the focus are included. */
function useSearchWord() {
  const [word, setWord] = useState<string>()
  const isOpen = word !== undefined
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.ctrlKey || event.metaKey
      if (isShortcut && event.key.toLowerCase() === 'k') setWord((before) => before ?? '')
      else if (isOpen && !isShortcut && !event.altKey && event.key.length === 1 && !isInSearch(event.target))
        setWord((before = '') => before + event.key)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOpen])
  return [word, setWord] as const
}
const isInSearch = (target: EventTarget | null) => target instanceof Element && target.closest('.app-search') !== null

function ExportButton() {
  const { running } = useExports(true)
  return (
    <FloatingHint title={running.length > 0 ? `导出中心，${running.length} 个进行中` : '导出中心'}>
      <button type="button" className="zg-bare icon" aria-label="导出中心" onClick={openExportCentre}>
        <CloudDownloadOutlined />
        {running.length > 0 && <span className="dot" />}
      </button>
    </FloatingHint>
  )
}

function UserMenu() {
  const { info, groups } = useMe()
  const navigate = useNavigate()
  const [changing, setChanging] = useState(false)
  const [contact, setContact] = useState(false)
  const role = groups.find((group) => group.id === info?.groupId)?.roleNames[0]
  const leave = async () => {
    if (!(await mayLeave())) return
    // The user is logged out here even if the response is lost.
    await call(logout).catch(() => undefined)
    const { forgetAnswers } = await import('#kit/field/answers.ts')
    if (info) await forgetAnswers(info.id)
    loseSession('logout')
  }
  return (
    <>
      <FloatingMenu
        trigger={['click']}
        placement="bottomRight"
        menu={{
          items: [
            { key: 'personal', label: '个人设置', onClick: () => void navigate('/system/personal') },
            { key: 'contact', label: '接收方式', onClick: () => setContact(true) },
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
      </FloatingMenu>
      {contact && <ContactDialog onClose={() => setContact(false)} />}
      {changing && <PasswordDialog forced={false} onClose={() => setChanging(false)} />}
    </>
  )
}
