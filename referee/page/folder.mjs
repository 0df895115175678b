// Folders of mails: dropped, or chosen. Chromium gives a page from disk a handle, which can be looked at again; other browsers
// give what is in the folder now.

const DEPTH_MOST = 3;
const LOOKED_AT_MOST = 5000;
/** What mails and documents are called: also in a Maildir, where names end with flags, or with a name of a machine. */
const WANTED = /\.(eml|json|txt)$|:2,[A-Za-z]*$|^\d{9,}\.[^.]+\.[^.]+$/;

/** What was dropped: files, and the folder, if there is one; with `again` it can be looked at again. */
export async function dropped(transfer) {
  const items = [...transfer.items].filter((one) => one.kind === "file");
  // All of it must be asked for before the event is over.
  const asked = items.map((item) => [item.getAsFileSystemHandle?.().catch(() => null), item.webkitGetAsEntry?.(), item.getAsFile()]);
  const [files, folders] = [[], []];
  for (const [handle, entry, file] of asked) {
    if (entry?.isDirectory) folders.push(await folderOf(handle, entry).catch(() => null));
    else if (file) files.push(file);
  }
  return { files, folders: folders.filter(Boolean), lost: folders.includes(null) };
}

async function folderOf(handle, entry) {
  return handle ? handled(await handle) : { name: entry.name, again: false, files: await found((each) => inEntry(entry, each, 0)) };
}

/** A folder by its handle. */
export const handled = (handle) => ({ name: handle.name, again: true, files: null, handle });

/** The files of a folder that may be mails or documents, the newest first. */
export async function filesIn({ files, handle }) {
  const all = files ?? (await found((each) => inHandle(handle, each, 0)));
  return [...all].sort((one, other) => other.lastModified - one.lastModified);
}

/** The files of a folder that was chosen in a dialog. */
export const listed = (files) => ({ name: files[0]?.webkitRelativePath.split("/")[0] ?? "", again: false, files: files.filter(({ name }) => WANTED.test(name)) });

async function found(walk) {
  const files = [];
  let looked = 0;
  await walk(async (name, get) => {
    if (WANTED.test(name)) files.push(await get());
    return ++looked < LOOKED_AT_MOST;
  });
  return files;
}

async function inHandle(handle, each, depth) {
  for await (const one of handle.values()) {
    if (one.kind === "directory" && depth < DEPTH_MOST) await inHandle(one, each, depth + 1);
    else if (one.kind === "file" && !(await each(one.name, () => one.getFile()))) return;
  }
}

async function inEntry(entry, each, depth) {
  const reader = entry.createReader();
  const some = () => new Promise((done, fail) => reader.readEntries(done, fail));
  for (let batch = await some(); batch.length; batch = await some()) {
    for (const one of batch) {
      if (one.isDirectory && depth < DEPTH_MOST) await inEntry(one, each, depth + 1);
      else if (one.isFile && !(await each(one.name, () => new Promise((done, fail) => one.file(done, fail))))) return;
    }
  }
}
