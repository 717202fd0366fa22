/** A file with the names of its folders, as it was chosen or dropped. */
export interface Placed {
  file: File
  folders: string[]
}

/** Files of a chosen folder carry their path. */
export const chosenFiles = (files: readonly File[]): Placed[] =>
  files.map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }))

/** What was dropped, with everything in dropped folders. */
export async function droppedFiles(items: DataTransferItemList): Promise<Placed[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return (await Promise.all(entries.map((entry) => filesOf(entry, [])))).flat()
}

async function filesOf(entry: FileSystemEntry, folders: string[]): Promise<Placed[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, folders }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const all: Placed[] = []
  for (;;) {
    // A reader gives its entries in several portions.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    for (const one of some) all.push(...(await filesOf(one, [...folders, entry.name])))
  }
}
