import { PlusOutlined, UserAddOutlined } from '@ant-design/icons'
import { isOn } from '@zhugong/contract/kit/enable'
import {
  addOrgMembers,
  addOrgUser,
  changeOrgPosts,
  createOrg,
  leaveGroup,
  type OrgMember,
  type OrgNode,
  orgMemberList,
  orgTree,
  removeOrg,
  removeOrgMembers,
  updateOrg,
  updateOrgMember,
} from '@zhugong/contract/organisation/org'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions } from '#kit/enable.tsx'
import { ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { MoreMenu } from '#kit/row-actions.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { OpeningWizard } from '../onboarding/public.tsx'
import { MovableTree } from './movable-tree.tsx'
import { AddUserDrawer, ChangeOrgDrawer, MemberDrawer, MergeDrawer, NewOrgDrawer, PlaceDrawer } from './org-drawers.tsx'
import { flat } from './org-tree.ts'
import './organisation.css'

type Open =
  | { what: 'new' | 'change' | 'merge' | 'user' }
  | { what: 'join' | 'posts'; people: readonly OrgMember[]; done?: () => void }
  | { what: 'member'; person: OrgMember }

/** URL value: include the people of subdepartments. */
const withBelow = '1'

const viewWords = { view: { title: '人员', words: { unplaced: '未分部门', dormant: '长期未登录', several: '兼职' } } }

/** Departments, their people and posts, and accounts that should have been removed. */
export default function OrgPage() {
  const tree = useCall(orgTree, {}, { quiet: true })
  const list = useListPage(orgMemberList, { tabs: ['orgId', 'below'] })
  const [open, setOpen] = useState<Open>()
  const { orgId, below } = list.filters
  const departments = tree.data?.tree ?? []
  const node = flat(departments).find((one) => one.id === orgId)
  const select = (id: string | undefined) => list.setFilters({ orgId: id, below: id ? below : undefined, view: undefined })
  const figures = tree.data?.figures
  const here = (m: OrgMember) => m.places.some((p) => p.orgId === node?.id)
  const { drop, out, ends } = useRemovals(node)
  const mayPlace = useCan(addOrgMembers)
  const mayMove = useCan(updateOrg)
  const move = useAct(updateOrg, { success: '部门已移动' })
  const columns: ColumnOf<typeof orgMemberList>[] = [
    { key: 'name', width: 100, locked: true, sort: true, filter: 'text', value: (m) => m.name },
    {
      key: 'place',
      width: 180,
      value: (m) => m.places.map((p) => `${p.orgName}${p.isHead ? '（负责人）' : ''}`).join('、') || <Tag tone="warning">未分配</Tag>,
    },
    { key: 'post', width: 120, filter: 'text', value: (m) => postsOf(m, node) },
    { key: 'roles', width: 140, value: (m) => m.roleNames.join('、') },
    { key: 'account', width: 130, filter: 'text', value: (m) => m.account },
    { key: 'phone', width: 120, value: (m) => m.phone },
    { key: 'deadline', width: 100, hidden: true, value: (m) => m.deadline ?? '长期' },
    { key: 'lastLogin', width: 150, sort: true, value: (m) => m.lastLogin ?? <span className="zg-2">从未登录</span> },
    { key: 'enable', width: 88, filter: 'single', options: enableOptions, value: (m) => <EnableTag enable={m.enable} /> },
    { key: 'createTime', width: 150, hidden: true, sort: true, value: (m) => m.createTime },
  ]
  const close = () => setOpen(undefined)
  return (
    <ListShell
      titleActions={
        <Button onClick={() => void ends.ask()} loading={ends.running}>
          退出本组
        </Button>
      }
      left={
        <SidePanel
          title="部门"
          width={264}
          nodes={[]}
          onSelect={select}
          footer={
            <Can call={createOrg}>
              <Button size="small" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
                {node ? '新增下级部门' : '新增部门'}
              </Button>
            </Can>
          }
        >
          {tree.error ? (
            <ErrorPanel error={tree.error} retry={tree.refetch} />
          ) : (
            <MovableTree
              thing="部门"
              tree={departments}
              tops={[{ key: undefined, label: '全部人员', count: figures?.people }]}
              selected={node?.id}
              count={(n) => n.people}
              remark={(n) => n.heads.join('、')}
              onSelect={select}
              onMove={
                mayMove ? (n, to) => void move.run({ params: { id: n.id }, query: {}, body: { ...to, version: n.version } }) : undefined
              }
            />
          )}
        </SidePanel>
      }
      strip={
        <FigureStrip
          loading={!tree.data}
          items={[
            { label: '人数', value: figures?.people, unit: '人', href: '/system/organization' },
            {
              label: '未分配部门',
              value: figures?.unplaced,
              unit: '人',
              tone: figures?.unplaced ? 'warning' : undefined,
              href: '/system/organization?view=unplaced',
            },
            {
              label: '90 天未登录',
              value: figures?.dormant,
              unit: '人',
              remark: '核对是否已离开',
              tone: figures?.dormant ? 'warning' : undefined,
              href: '/system/organization?view=dormant',
            },
            { label: '兼职', value: figures?.several, unit: '人', remark: '在多个部门', href: '/system/organization?view=several' },
          ]}
        />
      }
      actions={
        <>
          <OpeningWizard />
          {node && (
            <Can call={addOrgUser}>
              <Button
                type="primary"
                icon={<UserAddOutlined />}
                disabled={!isOn(node.enable)}
                title={isOn(node.enable) ? undefined : '部门已停用，不能加入人员'}
                onClick={() => setOpen({ what: 'user' })}
              >
                添加人员
              </Button>
            </Can>
          )}
        </>
      }
      above={node && <NodeBar node={node} open={(what) => setOpen({ what })} onGone={() => select(undefined)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'name', placeholder: '姓名' }}
        filterWords={viewWords}
        emptyHint={node ? '从“添加人员”开始，或在“全部人员”中选择人员加入部门' : '没有符合条件的人员'}
        toolbar={
          node && (
            <Checkbox
              checked={below === withBelow}
              onChange={(event) => list.setFilter('below', event.target.checked ? withBelow : undefined)}
            >
              含下级
            </Checkbox>
          )
        }
        selection={
          mayPlace
            ? {
                unit: '人',
                disabled: (m: OrgMember) => Boolean(node) && !here(m),
                actions: (people: readonly OrgMember[], done: () => void) =>
                  node ? (
                    <>
                      <Button onClick={() => setOpen({ what: 'posts', people, done })}>调岗</Button>
                      <Button danger onClick={() => void drop(people).then((gone) => gone && done())}>
                        移出部门
                      </Button>
                    </>
                  ) : (
                    <Button onClick={() => setOpen({ what: 'join', people, done })}>加入部门</Button>
                  ),
              }
            : undefined
        }
        actions={(m) => [
          node && here(m) && { label: '改岗位', needs: updateOrgMember, onClick: () => setOpen({ what: 'member', person: m }) },
          node && here(m) && { label: '调往其他部门', needs: changeOrgPosts, onClick: () => setOpen({ what: 'posts', people: [m] }) },
          { label: '加入部门', needs: addOrgMembers, onClick: () => setOpen({ what: 'join', people: [m] }) },
          node && here(m) && { label: '移出部门', danger: true, needs: removeOrgMembers, onClick: () => void drop([m]) },
          { label: '移出本组', danger: true, needs: removeOrgMembers, onClick: () => void out(m) },
        ]}
      />
      {open?.what === 'new' && <NewOrgDrawer tree={departments} parent={node} onClose={close} />}
      {open?.what === 'change' && node && <ChangeOrgDrawer tree={departments} node={node} onClose={close} />}
      {open?.what === 'merge' && node && <MergeDrawer tree={departments} node={node} onClose={close} />}
      {open?.what === 'user' && node && <AddUserDrawer node={node} onClose={close} />}
      {open?.what === 'member' && node && <MemberDrawer node={node} person={open.person} onClose={close} />}
      {open?.what === 'join' && <PlaceDrawer tree={departments} people={open.people} onClose={close} onDone={open.done} />}
      {open?.what === 'posts' && node && (
        <PlaceDrawer tree={departments} from={node} people={open.people} onClose={close} onDone={open.done} />
      )}
    </ListShell>
  )
}

/** Posts of a person in the selected department, or in all. */
const postsOf = (m: OrgMember, node: OrgNode | undefined) => {
  const shown = m.places.filter((p) => !node || p.orgId === node.id)
  return (shown.length > 0 ? shown : m.places).flatMap((p) => p.post || []).join('、')
}

/** The selected department and its actions. */
function NodeBar({ node, open, onGone }: { node: OrgNode; open: (what: 'change' | 'merge') => void; onGone: () => void }) {
  const remove = useAct(removeOrg, { success: '部门已删除', onDone: onGone })
  const flip = useAct(updateOrg, { success: false })
  const on = isOn(node.enable)
  const mayEdit = useCan(updateOrg)
  const drop = () =>
    remove.afterRequesting(
      { thing: `删除部门 ${node.name}`, consequence: '部门下没有人员和下级部门，删除后不能恢复。', verb: '删除部门', keep: '保留' },
      { params: { id: node.id }, query: {} },
    )
  const turn = { params: { id: node.id }, query: {}, body: { enable: on ? ('0' as const) : ('1' as const), version: node.version } }
  const question = {
    thing: `停用部门 ${node.name}`,
    consequence: `现有 ${node.people} 人不变；停用后该部门及其下级不能再加入人员。`,
    verb: '停用部门',
    keep: '保持启用',
  }
  const full = node.own > 0 || node.children.length > 0
  return (
    <div className="org-node-bar">
      <b>{node.name}</b>
      {!on && <Tag>已停用</Tag>}
      <span className="zg-2">
        负责人 {node.heads.join('、') || '未指定'} · 本部门 {node.own} 人 · 含下级 {node.people} 人
      </span>
      {mayEdit && (
        <MoreMenu
          label="部门操作"
          items={[
            { label: '改名或移动', onClick: () => open('change') },
            { label: on ? '停用' : '启用', onClick: () => (on ? flip.afterRequesting(question, turn) : flip.run(turn)) },
            { label: '并入其他部门', onClick: () => open('merge') },
            { label: '删除', danger: true, disabled: full && '部门下还有人员或下级部门，可并入其他部门', onClick: () => void drop() },
          ]}
        />
      )}
    </div>
  )
}

/** Removes people from a department or the group, or lets the user leave the group. */
function useRemovals(node: OrgNode | undefined) {
  const remove = useAct(removeOrgMembers, { success: '已移出' })
  const leave = useAct(leaveGroup, { success: '已退出本组', onDone: () => window.location.reload() })
  const drop = (people: readonly OrgMember[]) =>
    remove.afterRequesting(
      {
        thing: `把 ${people.length === 1 ? people[0]?.name : `${people.length} 人`} 移出 ${node?.name}`,
        consequence: '仍是本组成员，角色与权限不变，可再加入其他部门。',
        verb: '移出部门',
        keep: '保留',
      },
      { body: { orgId: node?.id, memberIds: people.map((p) => p.id) } },
    )
  const out = (m: OrgMember) =>
    remove.afterRequesting(
      {
        thing: `把 ${m.name} 移出本组`,
        consequence: '其在本组的角色、权限与各部门岗位立即失效并退出登录；账号本身和在其他组的身份不变。',
        verb: '移出本组',
        keep: '保留',
      },
      { body: { memberIds: [m.id] } },
    )
  const ask = () =>
    leave.afterRequesting(
      {
        thing: '退出本组',
        consequence: '您在本组的角色、权限与岗位立即失效，需由管理员重新添加；在其他组的身份不变。',
        verb: '退出本组',
        keep: '留下',
      },
      {},
    )
  return { drop, out, ends: { ask, running: leave.running } }
}
