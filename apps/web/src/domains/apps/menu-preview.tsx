import { homePaths, previewMenus } from '@zhugong/contract/apps/menu-endpoints'
import { Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { SeenMenus } from './seen-menus.tsx'
import './apps.css'

const homes: Readonly<Record<string, string>> = homePaths

/** Previews the menus of an account without signing in as it. */
export function MenuPreview({ onClose }: { onClose: () => void }) {
  const [account, setAccount] = useState('')
  const [groupId, setGroupId] = useState<string>()
  const { data, error, refetch } = useCall(
    previewMenus,
    { query: { account, groupId } },
    { quiet: true, enabled: account !== '', keepPrevious: true },
  )
  return (
    <PageDrawer open title="以账号预览菜单" width={720} onClose={onClose}>
      <div className="apps-bar">
        <Input.Search
          allowClear
          maxLength={32}
          placeholder="完整的账号"
          aria-label="账号"
          enterButton="预览"
          onSearch={(next) => {
            setGroupId(undefined)
            setAccount(next.trim())
          }}
        />
        {account !== '' && data && data.groups.length > 1 && (
          <div className="apps-field">
            <Choice
              aria-label="机构"
              clear={false}
              value={data.groupId ?? undefined}
              options={data.groups.map((one) => ({ value: one.id, label: one.name }))}
              onChange={setGroupId}
            />
          </div>
        )}
      </div>
      {account === '' ? (
        <Empty small text="还没有选择账号" hint="按账号此刻的角色、应用授权与菜单方案显示" />
      ) : error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : (
        data && (
          <>
            <Notice tone={data.menus.length ? 'info' : 'warning'}>
              {data.groupId === null
                ? `${data.name} 不属于任何机构`
                : `${data.name} 在“${data.groups.find((one) => one.id === data.groupId)?.name ?? ''}”看到 ${data.menus.filter((one) => one.path).length} 个页面，首页 ${homes[data.homePath] ?? data.homePath}`}
            </Notice>
            <SeenMenus menus={data.menus} />
          </>
        )
      )}
    </PageDrawer>
  )
}
