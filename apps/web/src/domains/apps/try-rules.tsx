import { holderName } from '@zhugong/contract/apps/codes'
import { grantTargets } from '@zhugong/contract/apps/grant-endpoints'
import { homePaths, tryRules } from '@zhugong/contract/apps/menu-endpoints'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { SeenMenus } from './seen-menus.tsx'
import './apps.css'

/** Tests which rule matches a group and which menus its administrator sees. */
export function TryRules() {
  const [groupId, setGroupId] = useState<string>()
  const groups = useCall(grantTargets, { query: {} }, { quiet: true })
  const tried = useCall(tryRules, { body: { groupId } }, { quiet: true, enabled: groupId !== undefined, keepPrevious: true })
  return (
    <Card
      title="试一试"
      remark="选一个组，看哪条规则命中、其管理员看到什么"
      actions={
        <div className="apps-field">
          <Choice
            aria-label="组"
            placeholder="选择机构或项目"
            value={groupId}
            options={(groups.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${holderName(one.type)}）` }))}
            onChange={setGroupId}
          />
        </div>
      }
    >
      {!groupId ? (
        <Empty small text="还没有选择" />
      ) : tried.error ? (
        <ErrorPanel error={tried.error} retry={tried.refetch} />
      ) : (
        tried.data && (
          <>
            <Notice tone="info">
              {tried.data.rule
                ? `命中“${tried.data.rule.name}”，方案 ${tried.data.rule.schemeName ?? '按菜单列表'}，首页 ${homePaths[tried.data.rule.homePath as keyof typeof homePaths] ?? tried.data.rule.homePath}`
                : '没有规则命中，看到全部可用菜单'}
            </Notice>
            <SeenMenus menus={tried.data.menus} />
          </>
        )
      )}
    </Card>
  )
}
